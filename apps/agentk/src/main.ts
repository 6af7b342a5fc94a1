import { renameSync, writeFileSync } from "node:fs";

import { Fault, systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";

import { createAgent } from "./agent.ts";
import { PRODUCT } from "./base/build-info.ts";
import type { ClusterAccess } from "./cluster-access/cluster-access.ts";
import { inClusterAccess } from "./cluster-access/in-cluster.ts";
import { parseFlags, USAGE, type AgentkOptions } from "./config/flags.ts";

const EXIT = { ok: 0, failed: 1, misconfigured: 2 } as const;

/** Flags → parts → run → stop. The only file that reads the environment and ends the process. */
async function main(): Promise<number> {
  const options = parseFlags(process.argv.slice(2), process.env);
  if ("errors" in options) {
    process.stderr.write(`${options.errors.map((error) => `agentk: ${error}`).join("\n")}\n${USAGE}\n`);
    return EXIT.misconfigured;
  }
  const log = createLogger("agentk", options.logLevel);
  // Our clock's timers do not keep a process alive, and between two attempts to connect there may be nothing else.
  setInterval(() => {}, 60_000);
  const stop = new AbortController();
  let signals = 0;
  const onSignal = (): void => {
    signals += 1;
    // The second one means: now.
    if (signals > 1) process.exit(EXIT.failed);
    stop.abort();
  };
  process.on("SIGTERM", onSignal).on("SIGINT", onSignal);
  try {
    const agent = createAgent(options, await accessOf(options), { log });
    const observability = await agent.listen();
    if (options.readyFile !== undefined) writeReadyFile(options.readyFile, observability);
    const proxy = options.proxy === undefined ? {} : { proxy: options.proxy.name };
    log.info({ observability, kas: options.kasAddress, ...proxy, product: PRODUCT }, "agentk started");
    await agent.run(stop.signal);
    log.info("agentk stopped");
    return EXIT.ok;
  } catch (error) {
    if (error instanceof Fault && error.reason === "configuration_invalid") {
      process.stderr.write(`agentk: ${error.message}\n`);
      return EXIT.misconfigured;
    }
    log.error({ error }, "agentk failed");
    return EXIT.failed;
  }
}

async function accessOf(options: AgentkOptions): Promise<ClusterAccess> {
  const env = process.env;
  if (options.kubeconfig !== undefined) {
    const { kubeconfigAccess } = await import("./cluster-access/kubeconfig.ts");
    return kubeconfigAccess({ path: options.kubeconfig, context: options.context, env, clock: systemClock });
  }
  return inClusterAccess({ host: env["KUBERNETES_SERVICE_HOST"], port: env["KUBERNETES_SERVICE_PORT"], clock: systemClock });
}

/** Renames a temporary file, so that a reader sees the full content or no file. */
function writeReadyFile(path: string, observability: string): void {
  writeFileSync(`${path}.tmp`, JSON.stringify({ pid: process.pid, observability }));
  renameSync(`${path}.tmp`, path);
}

process.exit(await main());
