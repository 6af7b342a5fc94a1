/** kas: reads the configuration, opens the listeners, runs until SIGTERM. The only file of kas that ends the process. */
import { renameSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { ConfigError, loadConfig } from "@binnacle/config";
import { Fault, runModules, sleep, type Module } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";

import { ignoredKeys } from "./config/ignored-keys.ts";
import { kasConfigSchema } from "./config/schema.ts";
import { reportCrashes } from "./process/crash-report.ts";
import { createKasParts, VERSION, type KasParts } from "./process/kas-parts.ts";
import { openKasListeners, type BoundAddresses } from "./process/kas-listeners.ts";
import { createKasMetrics } from "./process/metrics.ts";
import { refuseRedisCluster, redisServerCheck } from "./redis/redis-connection.ts";
import { openObservabilityListener } from "./process/observability-listener.ts";

const CONFIGURATION_MISTAKE = 2;
const FAILURE = 1;

const STORE_MS = 1_000;

function writeReadyFile(file: string, bound: BoundAddresses & { readonly kasId: string; readonly observability: string }): void {
  // In one step: a reader never sees half of it.
  writeFileSync(`${file}.new`, JSON.stringify({ pid: process.pid, ...bound }));
  renameSync(`${file}.new`, file);
}

/** Looks at Redis before anything is served; one that comes only later is looked at then, and ends kas if it cannot be used. @throws ConfigError */
async function checkRedisServer({ redis, clock }: KasParts, patienceMs: number): Promise<readonly Module[]> {
  if (redis === undefined) return [];
  const checked = refuseRedisCluster(redis);
  await Promise.race([checked, sleep(clock, patienceMs)]);
  return [redisServerCheck(checked)];
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { "configuration-file": { type: "string" }, "ready-file": { type: "string" } } });
  const file = values["configuration-file"];
  const config = loadConfig({ schema: kasConfigSchema, env: process.env, envPrefix: "KAS", ...(file === undefined ? {} : { file }) });
  const log = createLogger("kas", config.observability.logging.level);
  reportCrashes(log, () => process.exit(FAILURE));
  const metrics = createKasMetrics({ version: VERSION, gitRef: "source" });
  const ownUrls = (process.env["OWN_PRIVATE_API_URL"] ?? "").split(",").filter((url) => url !== "");
  for (const { path, why } of ignoredKeys(kasConfigSchema, config)) log.warn({ key: path, why }, "a configuration key has no effect");
  if (config.redis !== undefined && ownUrls.length === 0)
    log.warn("OWN_PRIVATE_API_URL is not set: other kas cannot reach the agents of this one");
  const parts = await createKasParts({ config, ownUrls, metrics, log });
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort());
  const serverCheck = await checkRedisServer(parts, config.redis?.dial_timeout ?? 0);
  const { modules, bound } = await openKasListeners({ config, parts, metrics, log });
  const observability = await openObservabilityListener({
    config: config.observability,
    registry: metrics.registry,
    log,
    ready: () => [
      ...(stop.signal.aborted ? ["kas is shutting down"] : []),
      ...(parts.redis !== undefined && parts.redis.commands.status !== "ready" ? ["Redis is not connected"] : []),
    ],
  });
  const readyFile = values["ready-file"];
  if (readyFile !== undefined) writeReadyFile(readyFile, { ...bound, kasId: parts.kasId, observability: observability.address });
  log.info({ ...bound, observability: observability.address }, "kas is ready");
  try {
    await runModules(
      [[departureOf(parts, config.shutdown.not_ready)], modules, parts.behindCalls, parts.records, [observability, ...serverCheck]],
      stop.signal,
      { clock: parts.clock, deadlineMs: config.shutdown.deadline },
    );
  } finally {
    parts.close();
  }
}

function isConfigurationMistake(error: unknown): boolean {
  if (error instanceof Fault) return error.reason === "configuration_invalid";
  return error instanceof ConfigError || (error instanceof TypeError && "code" in error);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(isConfigurationMistake(error) ? CONFIGURATION_MISTAKE : FAILURE);
  },
);

/**
 * The first phase of the shutdown: other kas are notified, and load balancers see that this kas is not ready, before any request is
 * rejected.
 *
 * @param notReadyMs how long load balancers get to notice
 */
function departureOf({ clock, depart }: Pick<KasParts, "clock" | "depart">, notReadyMs: number): Module {
  return {
    name: "departure",
    async drain(deadline) {
      // An unavailable store must not delay the shutdown.
      const announced = Promise.race([depart(), sleep(clock, STORE_MS, deadline)]);
      await Promise.all([announced, sleep(clock, notReadyMs, deadline)]);
    },
    close: async () => undefined,
  };
}
