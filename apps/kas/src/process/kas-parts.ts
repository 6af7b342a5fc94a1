import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";

import { ConfigError, readSecretFile } from "@binnacle/config";
import type { ByteLedger } from "@binnacle/grpc-wire";
import { type Clock, type Module, parseTrustedProxies, systemClock, type TrustedProxies } from "@binnacle/rpc";
import { Secret, type Logger } from "@binnacle/telemetry";

import { openAudit, type AuditLog } from "@binnacle/telemetry/audit";
import type { AgentTracker } from "../agent-tracker/agent-tracker.ts";
import { MemoryConnectionHistory, type ConnectionHistory } from "../agent-tracker/connection-history.ts";
import { MemoryAgentTracker } from "../agent-tracker/memory-agent-tracker.ts";
import { RedisAgentTracker } from "../agent-tracker/redis-agent-tracker.ts";
import { RedisConnectionHistory } from "../agent-tracker/redis-connection-history.ts";
import { RedisRouteStore } from "../agent-tracker/redis-route-store.ts";
import { noOtherKas, type RouteStore } from "../agent-tracker/route-store.ts";
import { redisSettingsOf } from "../config/redis-settings.ts";
import type { KasConfig } from "../config/schema.ts";
import { GitalyClient } from "../gitaly/gitaly-client.ts";
import { HopTokens } from "../kas-routing/hop-token.ts";
import { KasPeerPool } from "../kas-routing/kas-peer-pool.ts";
import { TunnelRouter } from "../kas-routing/tunnel-router.ts";
import { TokenBucket } from "../limits/token-bucket.ts";
import { RefusedCredentials } from "../main-application/refused-credentials.ts";
import { openProvider, type MainApplicationProvider } from "./main-application-provider.ts";
import { type KasMetrics, byteSampler, measuredLedger } from "./metrics.ts";
import { openNotifications, type Notifications } from "../notifications/notifications.ts";
import { openRedis, type RedisConnection, warnOfClockDifference } from "../redis/redis-connection.ts";
import { TunnelRegistry } from "../reverse-tunnel/tunnel-registry.ts";
import { AgentEvents } from "../usage/agent-events.ts";
import { UsageCounts } from "../usage/usage-counts.ts";
import { usageReporter } from "../usage/usage-reporter.ts";

/** Version of this program, as agents and the main application see it. */
export const VERSION = "v0.1.0";
/** What kas reports of itself to agents and clients. */
export const KAS_VERSION = { version: VERSION, gitRef: "source" } as const;

/** Everything of a kas that is no listener. */
export interface KasParts {
  readonly clock: Clock;
  /** Random; other kas know this process by it. */
  readonly kasId: string;
  /** GitLab, or the files of an organization. */
  readonly provider: MainApplicationProvider;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: TrustedProxies;
  readonly gitaly: GitalyClient;
  readonly registry: TunnelRegistry;
  readonly ledger: ByteLedger;
  readonly tracker: AgentTracker;
  /** Which agents were connected. */
  readonly history: ConnectionHistory;
  /** Name of this kas for people: host and port where the others reach it, or its host. */
  readonly kasName: string;
  readonly router: TunnelRouter;
  /** Looks at this process alone: for the internal listener, which never discovers. */
  readonly localRouter: TunnelRouter;
  readonly tokens: HopTokens | undefined;
  readonly redis: RedisConnection | undefined;
  /** What all kas share; undefined when this one is alone. */
  readonly secrets: readonly [Secret, ...Secret[]] | undefined;
  /** What the main application hears of how kas is used. */
  readonly usage: UsageCounts;
  /** Agents that have come, for the main application. */
  readonly agentEvents: AgentEvents;
  /** Notifications to other receivers; undefined: none are configured. */
  readonly notifications: Notifications | undefined;
  /** Where proxied requests are recorded; undefined: nowhere. */
  readonly audit: AuditLog | undefined;
  /** What calls need until the last of them has ended. */
  readonly behindCalls: readonly Module[];
  /** What this kas says of itself, until it is gone: to the other kas, and to the main application. */
  readonly records: readonly Module[];
  /** Says to the others that this kas is leaving. */
  readonly depart: () => Promise<void>;
  close(): void;
}

/** What the parts are made from. */
export interface KasPartsInput {
  readonly config: KasConfig;
  /** Where other kas reach this one; empty: they cannot. */
  readonly ownUrls: readonly string[];
  readonly metrics: KasMetrics;
  readonly log: Logger;
}

const rateOf = (rate: { refill_rate_per_second: number; bucket_size: number }) => ({
  perSecond: rate.refill_rate_per_second,
  burst: rate.bucket_size,
});

/** The secret(s) all kas share; undefined when this kas is alone. */
function internalSecrets(config: KasConfig): [Secret, ...Secret[]] | undefined {
  const listen = config.private_api?.listen;
  if (listen === undefined) return undefined;
  const read = (file: string, key: string): Secret => new Secret(readSecretFile(file, `private_api.listen.${key}`).toString("base64"));
  const previous = listen.previous_authentication_secret_file;
  return [
    read(listen.authentication_secret_file, "authentication_secret_file"),
    ...(previous === undefined ? [] : [read(previous, "previous_authentication_secret_file")]),
  ];
}

/** Builds the parts; nothing listens yet. @throws ConfigError for files that cannot be used */
export async function createKasParts({ config, ownUrls, metrics, log }: KasPartsInput): Promise<KasParts> {
  const clock = systemClock;
  const kasId = randomBytes(8).toString("hex");
  const secrets = internalSecrets(config);
  if (config.redis !== undefined && secrets === undefined) {
    throw new ConfigError("the configuration", [{ path: "private_api", message: "is needed with redis: other kas must reach this one" }]);
  }
  const refusals = new RefusedCredentials({ clock, log, count: (kind, reason) => metrics.refusedCredential(kind, reason) });
  const provider = await openProvider({ config, clock, log, refusals, userAgent: `gitlab-kas/${VERSION}/source` });
  const gitaly = new GitalyClient({
    clock,
    globalRate: new TokenBucket(clock, rateOf(config.gitaly.global_api_rate_limit)),
    serverRate: () => new TokenBucket(clock, rateOf(config.gitaly.per_server_api_rate_limit)),
  });
  const registry = new TunnelRegistry({ maxWaitersPerAgent: config.limits.max_waiting_requests_per_agent });
  metrics.watchTunnels(registry);
  const { process_bytes: processBytes, agent_bytes: agentBytes, user_bytes: userBytes } = config.limits;
  const ledger = measuredLedger({ processBytes, agentBytes, userBytes }, metrics.registry);
  const peerCa = config.private_api?.listen.ca_certificate_file;
  const peers = new KasPeerPool({ clock, ...(peerCa === undefined ? {} : { ca: readFileSync(peerCa, "utf8") }) });
  metrics.watchPeers(peers);
  const tokens = secrets && new HopTokens({ secrets, kasId, clock });
  const redis = config.redis && openRedis(redisSettingsOf(config.redis), log);
  if (redis) warnOfClockDifference(redis, clock, log);
  const shared =
    redis && secrets && openShared({ redis, clock, log, ttlMs: config.agent.redis_conn_info_ttl }, { kasId, ownUrls, secrets, metrics });
  const kasName = kasNameOf(ownUrls);
  const usage = new UsageCounts();
  const notifications = config.notifications && openNotifications(config.notifications, { clock, log, registry: metrics.registry });
  const usagePeriodMs = config.observability.usage_reporting_period;
  const agentEvents = new AgentEvents();
  const reporting = provider.client && { mainApplication: provider.client, clock, periodMs: usagePeriodMs };
  const reporters =
    reporting === undefined || usagePeriodMs === 0
      ? []
      : [
          usageReporter({ ...reporting, name: "usage reporter", path: "usage_metrics", reported: usage }),
          usageReporter({ ...reporting, name: "agent events", path: "agent_events", reported: agentEvents }),
        ];
  const audit = auditOf(config.observability.audit, { clock, log, metrics });
  const routing = { registry, ledger, peers, clock, log, metrics: metrics.routing };
  return {
    clock,
    kasId,
    provider,
    trustedProxies: parseTrustedProxies(config.trusted_proxies),
    gitaly,
    registry,
    ledger,
    tracker: shared?.tracker ?? new MemoryAgentTracker(),
    history: redis ? new RedisConnectionHistory({ redis, clock, log, kas: kasName }) : new MemoryConnectionHistory(clock, kasName),
    kasName,
    router: new TunnelRouter({ ...routing, routes: shared?.routes ?? noOtherKas, ...(tokens && { tokens }) }),
    localRouter: new TunnelRouter({ ...routing, routes: noOtherKas }),
    tokens,
    redis,
    secrets,
    usage,
    agentEvents,
    notifications,
    audit,
    behindCalls: [peers, byteSampler(ledger, clock), ...(audit ? [audit] : [])],
    records: [...(shared ? [shared.tracker, shared.routes] : []), ...reporters, ...(notifications?.modules ?? [])],
    depart: () => (shared?.routes ?? noOtherKas).depart(),
    close() {
      gitaly.close();
      redis?.close();
      provider.close();
    },
  };
}

function kasNameOf([url]: readonly string[]): string {
  return url === undefined ? hostname() : url.replace(/^grpcs?:\/\//, "");
}

/** @throws ConfigError for a file that cannot be written */
function auditOf(
  audit: KasConfig["observability"]["audit"],
  { clock, log, metrics }: { readonly clock: Clock; readonly log: Logger; readonly metrics: KasMetrics },
): AuditLog | undefined {
  try {
    return openAudit(audit, { clock, log, count: (outcome, records) => metrics.audited(outcome, records) });
  } catch (error) {
    const message = `cannot be opened for writing: ${error instanceof Error ? error.message : String(error)}`;
    throw new ConfigError("the configuration", [{ path: "observability.audit.file", message }]);
  }
}

function openShared(
  base: { readonly redis: RedisConnection; readonly clock: Clock; readonly log: Logger; readonly ttlMs: number },
  own: {
    readonly kasId: string;
    readonly ownUrls: readonly string[];
    readonly secrets: [Secret, ...Secret[]];
    readonly metrics: KasMetrics;
  },
): { readonly tracker: RedisAgentTracker; readonly routes: RedisRouteStore & RouteStore } {
  const { kasId, ownUrls, secrets, metrics } = own;
  return {
    tracker: new RedisAgentTracker({ ...base, own: { kasId, urls: ownUrls, version: VERSION, commit: "source" } }),
    routes: new RedisRouteStore({ ...base, kasId, ownUrls, secrets, onRogue: () => metrics.routing.rogueRoute() }),
  };
}
