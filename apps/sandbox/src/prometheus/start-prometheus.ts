import { spawn } from "node:child_process";
import { closeSync, openSync, rmSync } from "node:fs";

import { Fault, sleep, systemClock } from "@binnacle/rpc";

import { findExecutable } from "../orchestrator/executable.ts";
import type { SandboxDirectory } from "../orchestrator/sandbox-directory.ts";
import { startScriptedTarget } from "./scripted-target.ts";

const START_MS = 30_000;
const SCRAPE_INTERVAL = "2s";

/** What is said when a Prometheus was asked for and there is none. */
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
  const log = openSync(directory.file("log", "prometheus.log"), "a");
  const data = directory.file("prometheus");
  rmSync(data, { recursive: true, force: true });
  const argv = [`--config.file=${file}`, `--storage.tsdb.path=${data}`, `--web.listen-address=127.0.0.1:${port}`];
  const child = spawn(program, argv, { stdio: ["ignore", log, log], detached: true });
  closeSync(log);
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
    await target.close();
  };
  const deadline = systemClock.now() + START_MS;
  while (!(await isReady(port))) {
    if (signal.aborted || child.exitCode !== null || systemClock.now() > deadline) {
      await stop();
      throw new Fault("internal", `${program} did not start, see ${directory.file("log", "prometheus.log")}`);
    }
    await sleep(systemClock, 100, signal);
  }
  return { port, pid: child.pid, stop };
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok;
  } catch {
    return false;
  }
}
