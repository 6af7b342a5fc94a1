import type { ConnectionOptions } from "node:tls";

import { ConfigError } from "@binnacle/config";
import type { Module, Clock } from "@binnacle/rpc";
import type { Logger, Secret } from "@binnacle/telemetry";
import { Redis, type RedisOptions } from "ioredis";

/** Where Redis is: one server, its Unix socket, or a group of sentinels. */
export type RedisEndpoint =
  | { readonly kind: "server"; readonly host: string; readonly port: number }
  | { readonly kind: "socket"; readonly path: string }
  | {
      readonly kind: "sentinel";
      readonly masterName: string;
      readonly sentinels: readonly { readonly host: string; readonly port: number }[];
      readonly sentinelPassword?: Secret;
    };

/** How to reach Redis. */
export interface RedisSettings {
  readonly endpoint: RedisEndpoint;
  readonly username?: string;
  readonly password?: Secret;
  /** Absent: plain TCP. */
  readonly tls?: ConnectionOptions;
  /** Default 5,000. */
  readonly dialTimeoutMs?: number;
  /** A command without an answer for this long has failed. Default 1,000. */
  readonly commandTimeoutMs?: number;
  /** First part of every key and channel, for example "gitlab-kas". */
  readonly keyPrefix: string;
}

/** Two connections to one Redis: a subscriber may send nothing but subscriptions. */
export interface RedisConnection {
  readonly commands: Redis;
  readonly subscriber: Redis;
  readonly keyPrefix: string;
  close(): void;
}

const IS_CLUSTER = /^cluster_enabled:1\s*$/m;

/** What kas forgive each other in their tokens (kas-routing/hop-token.ts). */
const FORGIVEN_MS = 5_000;

/**
 * Opens both connections; they reconnect for ever. Nothing is queued while Redis is away: a command then fails at once,
 * and its caller retains the latest state and sends it again after `ready`.
 */
export function openRedis(settings: RedisSettings, log: Logger): RedisConnection {
  const commands = new Redis(redisOptionsOf(settings));
  const subscriber = new Redis({ ...redisOptionsOf(settings), enableAutoPipelining: false, autoResubscribe: false });
  for (const [role, client] of [["commands", commands] as const, ["subscriber", subscriber] as const]) {
    // Without a listener an unreachable Redis would end the process.
    client.on("error", (error: Error) => log.warn({ error, role }, "redis connection failed"));
    client.on("ready", () => log.info({ role }, "redis connected"));
  }
  return {
    commands,
    subscriber,
    keyPrefix: settings.keyPrefix,
    close() {
      commands.disconnect();
      subscriber.disconnect();
    },
  };
}

/** `replyMapping` may be absent but not undefined, which `RedisOptions` alone would allow. */
type ClientOptions = Omit<RedisOptions, "replyMapping">;

function redisOptionsOf(settings: RedisSettings): ClientOptions {
  return {
    ...endpointOptionsOf(settings),
    ...(settings.username === undefined ? {} : { username: settings.username }),
    ...(settings.password === undefined ? {} : { password: settings.password.reveal() }),
    connectTimeout: settings.dialTimeoutMs ?? 5_000,
    commandTimeout: settings.commandTimeoutMs ?? 1_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    // A write that was cut off may or may not have happened; the owner repeats it, all our writes are idempotent.
    autoResendUnfulfilledCommands: false,
    enableAutoPipelining: true,
    retryStrategy: (times) => Math.min(5_000, 100 * 2 ** Math.min(times, 10)) * (0.5 + Math.random() / 2),
  };
}

function endpointOptionsOf({ endpoint, tls }: RedisSettings): ClientOptions {
  switch (endpoint.kind) {
    case "server":
      return { host: endpoint.host, port: endpoint.port, ...(tls ? { tls } : {}) };
    case "socket":
      return { path: endpoint.path };
    default:
      return {
        name: endpoint.masterName,
        sentinels: endpoint.sentinels.map(({ host, port }) => ({ host, port })),
        ...(endpoint.sentinelPassword === undefined ? {} : { sentinelPassword: endpoint.sentinelPassword.reveal() }),
        ...(tls ? { tls, sentinelTLS: tls, enableTLSForSentinelMode: true } : {}),
      };
  }
}

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
    return; // an ACL may forbid INFO: then it is unknown, and the errors of commands have the reason
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

/**
 * Compares the clock with that of Redis, by which all kas can be compared, each time it is connected, and warns of a difference: records
 * and tokens of other kas then seem to have expired, and nothing else names the reason.
 */
export function warnOfClockDifference({ commands }: Pick<RedisConnection, "commands">, clock: Clock, log: Logger): void {
  commands.on("ready", () => {
    const sentMs = clock.now();
    commands.time().then(
      ([seconds, microseconds]) => {
        const redisMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
        // Redis has read its clock somewhere in between.
        const aheadMs = Math.round((sentMs + clock.now()) / 2 - redisMs);
        if (Math.abs(aheadMs) <= FORGIVEN_MS) return;
        log.warn(
          { ahead_ms: aheadMs },
          "the clock of this kas differs from that of Redis: agents of other kas may seem away; synchronise the clocks of all kas",
        );
      },
      () => undefined, // an ACL may forbid TIME, or the connection is gone again
    );
  });
}
