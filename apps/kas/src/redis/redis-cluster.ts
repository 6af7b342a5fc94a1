import { ConfigError } from "@binnacle/config";
import type { Module } from "@binnacle/rpc";

import type { RedisConnection } from "./redis-connection.ts";

const IS_CLUSTER = /^cluster_enabled:1\s*$/m;

/**
 * Asks Redis once, when it is connected, whether it is a cluster: its servers would each have a part of our keys, and refuse our transactions.
 *
 * @throws ConfigError when it is one
 */
export async function refuseRedisCluster({ commands }: Pick<RedisConnection, "commands">): Promise<void> {
  if (commands.status !== "ready") await new Promise<void>((resolve) => commands.once("ready", () => resolve()));
  let info: string;
  try {
    info = await commands.info("cluster");
  } catch {
    return; // an ACL may forbid INFO: then nobody knows, and commands say what they are refused for
  }
  if (!IS_CLUSTER.test(info)) return;
  const message =
    "is a Redis Cluster, which kas does not support: name a single server in redis.server, or one found by sentinels in redis.sentinel";
  throw new ConfigError("the configuration", [{ path: "redis", message }]);
}

/** Ends the process when a check that was begun before finds that Redis cannot be used. */
export function redisServerCheck(checked: Promise<void>): Module {
  return {
    name: "redis server check",
    async run(signal) {
      const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
      await Promise.race([checked.then(() => stopped), stopped]);
    },
    close: () => Promise.resolve(),
  };
}
