import { randomBytes } from "node:crypto";

import { ByteLedger, type LedgerLimits } from "@binnacle/grpc-wire";
import { type Clock, Fault, systemClock, type TrustedProxies } from "@binnacle/rpc";
import { createLogger, Secret, type Logger } from "@binnacle/telemetry";

import { ROUTED_SERVICES } from "../../agent-call/routed-methods.ts";
import { noOtherKas, type RouteStore } from "../../agent-tracker/route-store.ts";
import { HopTokens } from "../hop-token.ts";
import { openInternalListener } from "../internal-listener.ts";
import { KasPeerPool } from "../kas-peer-pool.ts";
import { noMetrics, type RoutingMetrics } from "../../agent-call/routing-metrics.ts";
import { TunnelRouter } from "../tunnel-router.ts";
import type { ConnectionLimit } from "../../limits/connection-limit.ts";
import type { AgentAuthenticator, AgentInfo } from "../../main-application/agent-info.ts";
import type { TypedHandler } from "../../http2-listener/typed-handler.ts";
import { openAgentListener } from "../../reverse-tunnel/agent-listener.ts";
import { TunnelRegistry } from "../../reverse-tunnel/tunnel-registry.ts";
import { agentInfoOf } from "../../main-application/testing/agent-info.ts";

/** The secret all kas of a test share. */
export const INTERNAL_SECRET = new Secret(randomBytes(32).toString("base64"));

/** A kas without its typed services: agent listener, internal listener, registry and router, all on real sockets. */
export interface TestKas {
  readonly kasId: string;
  readonly agentUrl: string;
  readonly webSocketUrl: string;
  readonly internalUrl: string;
  readonly registry: TunnelRegistry;
  readonly ledger: ByteLedger;
  readonly router: TunnelRouter;
  readonly peers: KasPeerPool;
  /** Its listeners take leave, as at SIGTERM. */
  drain(deadline?: AbortSignal): Promise<void>;
  /** Closes everything at once. */
  stop(): Promise<void>;
}

/** Tokens "agent-<id>" are good. */
export const testAuthenticator: AgentAuthenticator = {
  async authenticate(authorization): Promise<AgentInfo> {
    const id = /^Bearer agent-(\d+)$/.exec(authorization ?? "")?.[1];
    if (id === undefined) throw new Fault("token_unknown", "unauthenticated");
    return agentInfoOf(BigInt(id), { agentName: `agent ${id}` });
  },
};

/** What a test may choose. */
export interface TestKasOptions {
  /** Made when the internal address is known. */
  readonly routes?: (kasId: string, internalUrl: string) => RouteStore;
  readonly maxWaitersPerAgent?: number;
  readonly metrics?: RoutingMetrics;
  /** Default: tokens "agent-<id>" are good. */
  readonly authenticator?: AgentAuthenticator;
  /** Default: silent. */
  readonly log?: Logger;
  /** Streams another kas may have open on one connection; default that of the internal listener. */
  readonly maxStreams?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Byte budgets; default: those of the configuration. */
  readonly limits?: Partial<LedgerLimits>;
  /** Default: 50 s. */
  readonly keepAliveMs?: number;
  /** Default: never. */
  readonly maxConnectionAgeMs?: number;
  /** Default: plain TCP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Whether it thinks that there is no other kas. Default: no. */
  readonly alone?: boolean;
  /** Connections per token; default: not counted. */
  readonly limit?: ConnectionLimit;
  /** Default: no proxy is trusted. */
  readonly trustedProxies?: TrustedProxies;
  /** Default: 404. */
  readonly connectHandler?: TypedHandler;
}

const MIB = 1024 * 1024;

const notFound: TypedHandler = (_request, response) => {
  response.writeHead(404);
  response.end();
};

/** Starts a kas on free loopback ports. */
export async function startTestKas(options: TestKasOptions = {}): Promise<TestKas> {
  const kasId = randomBytes(6).toString("hex");
  const clock = options.clock ?? systemClock;
  const log = options.log ?? createLogger("test", "silent");
  const metrics = options.metrics ?? noMetrics;
  const registry = new TunnelRegistry(options.maxWaitersPerAgent === undefined ? {} : { maxWaitersPerAgent: options.maxWaitersPerAgent });
  const tokens = new HopTokens({ secrets: [INTERNAL_SECRET], kasId, clock });
  const peers = new KasPeerPool({ clock });
  const listen = { host: "127.0.0.1", port: 0 };
  const base = {
    listen,
    clock,
    log,
    registry,
    metrics,
    shutdownGraceMs: 50,
    keepAliveMs: options.keepAliveMs ?? 50_000,
    ...(options.maxConnectionAgeMs === undefined ? {} : { maxConnectionAgeMs: options.maxConnectionAgeMs }),
    connectHandler: options.connectHandler ?? notFound,
  };
  const ledger = new ByteLedger({ processBytes: 192 * MIB, agentBytes: 64 * MIB, userBytes: 32 * MIB, ...options.limits });
  const agent = await openAgentListener({
    ...base,
    ...(options.tls ? { tls: options.tls } : {}),
    authenticator: options.authenticator ?? testAuthenticator,
    ledger,
    alone: options.alone ?? false,
    ...(options.limit && { limit: options.limit }),
    ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
  });
  const internal = await openInternalListener({
    ...base,
    tokens,
    routedServices: new Set(["test.Echo", ...ROUTED_SERVICES]),
    ...(options.maxStreams === undefined ? {} : { maxStreams: options.maxStreams }),
  });
  const internalUrl = `grpc://${internal.address}`;
  const routes = options.routes?.(kasId, internalUrl) ?? noOtherKas;
  const router = new TunnelRouter({ registry, routes, peers, tokens, clock, metrics, log });
  const listeners = [agent, internal] as const;
  return {
    kasId,
    agentUrl: `grpc${options.tls ? "s" : ""}://${agent.address}`,
    webSocketUrl: `ws${options.tls ? "s" : ""}://${agent.address}/any/path`,
    internalUrl,
    registry,
    ledger,
    router,
    peers,
    async drain(deadline = new AbortController().signal) {
      await Promise.all(listeners.map((listener) => listener.drain(deadline)));
    },
    async stop() {
      for (const module of [...listeners, peers]) await module.close();
    },
  };
}
