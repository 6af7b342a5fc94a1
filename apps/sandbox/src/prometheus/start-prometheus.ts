import { rmSync } from "node:fs";

import { Fault } from "@binnacle/rpc";

import { findExecutable } from "../orchestrator/executable.ts";
import type { SandboxDirectory } from "../orchestrator/sandbox-directory.ts";
import { startProgram } from "../orchestrator/start-program.ts";
import { startScriptedTarget } from "./scripted-target.ts";

const SCRAPE_INTERVAL = "2s";

/** The error for `--prometheus` without a Prometheus. */
export const NO_PROMETHEUS = "--prometheus needs the program of that name: install prometheus";

/** A Prometheus of a sandbox. */
export interface SandboxPrometheus {
  readonly port: number;
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** The Prometheus of this machine. */
export function findPrometheus(): string | undefined {
  return findExecutable("prometheus");
}

/**
 * Starts a real Prometheus that looks at made-up figures of the cluster's pods.
 *
 * @throws Fault `configuration_invalid` without the program, `internal` when it does not start
 */
export async function startPrometheus(options: {
  readonly kubeconfig: string;
  readonly port: number;
  readonly directory: SandboxDirectory;
  readonly signal: AbortSignal;
}): Promise<SandboxPrometheus> {
  const { kubeconfig, port, directory, signal } = options;
  const program = findPrometheus();
  if (program === undefined) throw new Fault("configuration_invalid", NO_PROMETHEUS);
  const target = await startScriptedTarget(kubeconfig);
  const scrape = { job_name: "scripted", scrape_interval: SCRAPE_INTERVAL, honor_labels: true };
  const jobs = [{ ...scrape, static_configs: [{ targets: [`127.0.0.1:${target.port}`] }] }];
  // JSON is YAML.
  const file = directory.write("run/prometheus.yml", JSON.stringify({ scrape_configs: jobs }));
  const data = directory.file("prometheus");
  rmSync(data, { recursive: true, force: true });
  const argv = [`--config.file=${file}`, `--storage.tsdb.path=${data}`, `--web.listen-address=127.0.0.1:${port}`];
  try {
    const { pid, stop } = await startProgram([program, ...argv], {
      logFile: directory.file("log", "prometheus.log"),
      isReady: () => isReady(port),
      failure: "internal",
      signal,
    });
    return {
      port,
      pid,
      async stop() {
        await stop();
        await target.close();
      },
    };
  } catch (error) {
    await target.close();
    throw error;
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok;
  } catch {
    return false;
  }
}
