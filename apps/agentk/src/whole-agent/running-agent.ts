import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Clock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";

import { createAgent, type Agent } from "../agent.ts";
import type { ClusterAccess } from "../cluster-access/cluster-access.ts";
import type { AgentkOptions } from "../config/flags.ts";

/** An agent inside of the test's process. */
export interface RunningAgent {
  readonly agent: Agent;
  readonly observability: string;
  readonly tokenFile: string;
  /** How long, in milliseconds, the tunnel pool chose to wait after each refusal so far. */
  readonly backoffs: readonly number[];
  /** Every line that was logged at info or above, without its fields. */
  readonly lines: readonly string[];
  /** Stops it and waits. */
  stop(): Promise<void>;
}

/** Starts an agent that dials `kasAddress`. @param over options that differ, and a clock of the test */
export async function runAgent(
  kasAddress: string,
  access: ClusterAccess,
  { clock, ...over }: Partial<AgentkOptions> & { readonly clock?: Clock } = {},
): Promise<RunningAgent> {
  const directory = mkdtempSync(join(tmpdir(), "agentk-"));
  const tokenFile = join(directory, "token");
  writeFileSync(tokenFile, "glagent-test\n");
  const options: AgentkOptions = {
    kasAddress,
    tokenFile,
    caCertFile: undefined,
    proxy: undefined,
    kubeconfig: undefined,
    context: undefined,
    observabilityAddress: { host: "127.0.0.1", port: 0 },
    readyFile: undefined,
    shutdownGraceMs: 2_000,
    logLevel: "silent",
    kubeApiQps: 1_000,
    kubeApiBurst: 1_000,
    podNamespace: "ns",
    podName: "pod-1",
    serviceEndpoints: new Map(),
    ...over,
  };
  const backoffs: number[] = [];
  const log = createLogger("agentk", options.logLevel);
  const lines: string[] = [];
  for (const level of ["debug", "info", "warn", "error"] as const) {
    // The agent changes the level while it runs, and pino then replaces its methods.
    let write = log[level];
    const record = (fields: { readonly retry_ms?: number } | string, message?: string): void => {
      const line = typeof fields === "string" ? fields : (message ?? "");
      if (level !== "debug") lines.push(`${level}: ${line}`);
      if (line === "kas refused a tunnel" && typeof fields !== "string" && fields.retry_ms !== undefined) backoffs.push(fields.retry_ms);
      write.call(log, fields, message);
    };
    const set = (replaced: typeof write): void => void (write = replaced);
    Object.defineProperty(log, level, { get: () => record, set });
  }
  const agent = createAgent(options, access, { log, ...(clock && { clock }) });
  const observability = await agent.listen();
  const stop = new AbortController();
  const running = agent.run(stop.signal);
  return {
    agent,
    observability,
    tokenFile,
    backoffs,
    lines,
    async stop() {
      stop.abort();
      await running;
      rmSync(directory, { recursive: true });
    },
  };
}
