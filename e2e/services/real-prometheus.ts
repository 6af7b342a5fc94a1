import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { eventually, freePort } from "@binnacle/testing";

const READY_MS = 60_000;

/** A real Prometheus that looks at one target each second. */
export interface RealPrometheus {
  readonly port: number;
  /** Settles when the expression has a result. */
  measured(expression: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the `prometheus` of PATH. @param target host:port with `/metrics`, whose labels are taken as they are */
export async function startPrometheus(target: string): Promise<RealPrometheus> {
  const directory = mkdtempSync(join(tmpdir(), "binnacle-prometheus-"));
  const file = join(directory, "prometheus.yml");
  // JSON is YAML.
  const scrape = { job_name: "scripted", scrape_interval: "1s", honor_labels: true, static_configs: [{ targets: [target] }] };
  writeFileSync(file, JSON.stringify({ scrape_configs: [scrape] }));
  const port = await freePort();
  const child = spawn(
    "prometheus",
    [`--config.file=${file}`, `--storage.tsdb.path=${join(directory, "data")}`, `--web.listen-address=127.0.0.1:${port}`],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  const exited = once(child, "exit");
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ask = async (path: string): Promise<string> => {
    try {
      return await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    } catch {
      return "";
    }
  };
  await eventually(
    async () => ((await ask("/-/ready")).includes("is Ready") ? undefined : `prometheus is not ready:\n${stderr}`),
    READY_MS,
  );
  return {
    port,
    measured: (expression) =>
      eventually(async () => {
        const answer = await ask(`/api/v1/query?query=${encodeURIComponent(expression)}`);
        return answer.includes('"value"') ? undefined : `nothing is measured of ${expression}: ${answer}`;
      }, READY_MS),
    async stop() {
      child.kill("SIGKILL");
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
