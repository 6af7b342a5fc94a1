import { Fault } from "@binnacle/rpc";
import type { Module } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { readSecretFile } from "@binnacle/config";

import { agentContextOf } from "../agent-identity/agent-context.ts";
import { ROUTED_SERVICES } from "../agent-call/routed-methods.ts";
import type { AgentTracker } from "../agent-tracker/agent-tracker.ts";
import { agentServices } from "../agent-configuration/agent-services.ts";
import { agentModules } from "./agent-modules.ts";
import { LocalConfigurationErrors, type ConfigurationErrors } from "../agent-configuration/configuration-errors.ts";
import { RedisConfigurationErrors } from "../agent-configuration/redis-configuration-errors.ts";
import { PushNotices } from "../gitaly/push-notices.ts";
import { openApiListener } from "../api/api-listener.ts";
import { apiServices, internalServices } from "../api/api-services.ts";
import { JwtGate } from "../api/jwt-gate.ts";
import { serviceApi } from "../api/service-api.ts";
import { viewsService } from "../api/views-service.ts";
import { listenAddressOf, tlsOf } from "../config/listen-settings.ts";
import type { KasConfig } from "../config/schema.ts";
import { exchangeHandlers } from "./exchange-handlers.ts";
import { RepositoryPoller } from "../gitaly/repository-poller.ts";
import { createGitopsMetrics } from "../gitops/gitops-metrics.ts";
import { gitopsService, type GitopsServiceOptions } from "../gitops/gitops-service.ts";
import { syncApi, syncReports } from "../gitops/sync-services.ts";
import { LocalSyncStore, RedisSyncStore, type SyncStore } from "../gitops/sync-store.ts";
import type { Http2Listener } from "../http2-listener/http2-listener.ts";
import { createTypedHandler } from "../http2-listener/typed-handler.ts";
import { KAS_VERSION, type KasParts } from "./kas-parts.ts";
import { openInternalListener } from "../kas-routing/internal-listener.ts";
import { ConnectionLimit } from "../limits/connection-limit.ts";
import { LocalMinuteCounter, RedisMinuteCounter } from "../limits/minute-counter.ts";
import type { KasMetrics } from "./metrics.ts";
import { AgentPresence } from "../notifications/agent-presence.ts";
import { syncNotificationOf, type Notification } from "../notifications/notification.ts";
import { LocalLastSent, RedisLastSent } from "../notifications/last-sent.ts";
import { LocalPresenceStore, RedisPresenceStore } from "../notifications/presence-store.ts";
import { viewFacts } from "../notifications/view-facts.ts";
import { openAgentListener } from "../reverse-tunnel/agent-listener.ts";
import { openKubernetesApi } from "./open-kubernetes-api.ts";
import { openViewHub, type OpenedViewHub } from "./open-view-hub.ts";

/** What is really bound, "host:port"; null for a listener that is not configured. */
export interface BoundAddresses {
  readonly agent: string;
  readonly api: string | null;
  readonly k8sProxy: string | null;
  readonly privateApi: string | null;
}

/** What the listeners are made from. */
export interface KasListenersInput {
  readonly config: KasConfig;
  readonly parts: KasParts;
  readonly metrics: KasMetrics;
  readonly log: Logger;
}

/** Largest message of an agent or another kas to a typed service: their requests are a few ids and names. */
const SMALL_MESSAGE_BYTES = 64 * 1024;
/** Largest message of the main application. */
const API_MESSAGE_BYTES = 10 * 1024 * 1024;

const http2Options = (listen: {
  max_connection_age: number;
  grace_period: number;
  network: "tcp" | "tcp4" | "tcp6" | "unix";
  address: string;
  certificate_file?: string | undefined;
  key_file?: string | undefined;
}) => {
  const tls = tlsOf(listen);
  return {
    listen: listenAddressOf(listen),
    maxConnectionAgeMs: listen.max_connection_age,
    shutdownGraceMs: listen.grace_period,
    ...(tls && { tls }),
  };
};

/** Opens every listener that is configured. @throws Error that names the listener and its address */
export async function openKasListeners(
  input: KasListenersInput,
): Promise<{ readonly modules: readonly Module[]; readonly bound: BoundAddresses }> {
  const errors = openConfigurationErrors(input);
  const { redis, clock, secrets } = input.parts;
  const pushes = new PushNotices(redis);
  const onRogue = (): void => input.metrics.routing.rogueSync();
  const syncs = redis && secrets ? new RedisSyncStore({ redis, clock, secrets, onRogue }) : new LocalSyncStore(clock);
  const { agent_wait: waitMs, view_process_bytes: processBytes, view_agent_bytes: agentBytes } = input.config.limits;
  const views = openViewHub({ ...input, router: input.parts.router, clock, waitMs, processBytes, agentBytes });
  const opened: Module[] = [views, ...factsOfViews(input, views.hub)];
  const open = async <T extends Module>(listener: Promise<T>): Promise<T> => {
    const module = await listener;
    opened.push(module);
    return module;
  };
  try {
    const agent = await open(openAgent(input, { errors, pushes, syncs }));
    const api = input.config.api && (await open(openApi(input, { pushes, syncs, views })));
    const privateApi = input.config.private_api && (await open(openPrivateApi(input)));
    const k8sProxy = input.config.agent.kubernetes_api && (await open(openKubernetesApi({ ...input, errors, syncs, views })));
    return {
      modules: opened,
      bound: {
        agent: agent.address,
        api: api?.address ?? null,
        k8sProxy: k8sProxy?.address ?? null,
        privateApi: privateApi?.address ?? null,
      },
    };
  } catch (error) {
    await Promise.all(opened.map((module) => module.close()));
    throw error;
  }
}

/** A word about a broken configuration holds for this many polls. */
const POLLS_A_WORD_HOLDS = 3;

function openConfigurationErrors({ config, parts, log }: KasListenersInput): ConfigurationErrors {
  const { clock, redis } = parts;
  const ttlMs = POLLS_A_WORD_HOLDS * config.agent.configuration.poll_period + 5_000;
  return redis ? new RedisConfigurationErrors({ redis, clock, log, ttlMs }) : new LocalConfigurationErrors(clock, ttlMs);
}

function openAgent(
  input: KasListenersInput,
  { errors, pushes, syncs }: { readonly errors: ConfigurationErrors; readonly pushes: PushNotices; readonly syncs: SyncStore },
): Promise<Http2Listener> {
  const { config, parts, metrics, log } = input;
  const { clock, registry, provider, gitaly, trustedProxies, ledger } = parts;
  const { authenticator } = provider;
  const { listen, configuration } = config.agent;
  const limit = new ConnectionLimit(clock, listen.connections_per_token_per_minute);
  const repositories = new RepositoryPoller({ gitaly, pushes, clock, pollMs: configuration.poll_period });
  const counter = parts.redis ? new RedisMinuteCounter({ redis: parts.redis, clock, log }) : new LocalMinuteCounter(clock);
  const manifests = openGitops(input, { repositories, counter, syncs });
  const reports = syncReports({
    store: syncs,
    projects: provider.projects,
    gitaly,
    clock,
    counter,
    pollMs: config.agent.gitops.poll_period,
    log,
    onReported: (agentId, sync) => {
      const notification = parts.notifications && syncNotificationOf(agentId, sync, clock.now());
      if (notification) parts.notifications?.tell(notification);
    },
  });
  const services = agentServices({
    errors,
    configurations: provider.configurations({ gitaly, repositories }),
    clock,
    log,
    authenticator,
    tracker: presenceOf(input),
    updates: parts.tracker,
    history: parts.history,
    registry,
    onConfiguration: (notification) => parts.notifications?.tell(notification),
    onProjects: (agentId, projects) => syncs.nameProjects(agentId, projects),
    maxAgeMs: listen.max_connection_age * 0.45,
    externalUrl: provider.externalUrl,
    limit,
    registrations: parts.agentEvents,
    version: KAS_VERSION,
  });
  const modules = agentModules({ parts, pushes, counter, log, maxAgeMs: listen.max_connection_age * 0.45 });
  return openAgentListener({
    ...http2Options(listen),
    clock,
    log,
    registry,
    ledger,
    authenticator,
    limit,
    trustedProxies,
    metrics: metrics.routing,
    alone: config.redis === undefined,
    maxUnauthenticatedPerAddress: config.limits.unauthenticated_connections_per_address,
    connectHandler: createTypedHandler({
      routes: (router) => {
        services(router);
        manifests(router);
        reports(router);
        modules(router);
      },
      readMaxBytes: SMALL_MESSAGE_BYTES,
      contextValues: agentContextOf,
    }),
  });
}

/** Notifications about clusters, when there are receivers. */
function factsOfViews({ config, parts }: KasListenersInput, hub: OpenedViewHub["hub"]): readonly Module[] {
  const { notifications, redis, clock } = parts;
  const { environments = [], nodes_of: nodesOf = [] } = config.notifications ?? {};
  if (notifications === undefined || environments.length + nodesOf.length === 0) return [];
  const watched = environments.map(({ name, agent_id: agentId, namespaces }) => ({ name, agentId: BigInt(agentId), namespaces }));
  const lastSent = redis ? new RedisLastSent(redis) : new LocalLastSent();
  const tell = (notification: Notification): void => notifications.tell(notification);
  return [viewFacts({ hub, environments: watched, nodesOf: nodesOf.map(BigInt), clock, lastSent, tell })];
}

/** The tracker; with notifications, one that tells who comes and goes. */
function presenceOf({ parts, log }: KasListenersInput): Pick<AgentTracker, "register" | "unregister"> {
  const { notifications, tracker, clock, redis } = parts;
  if (!notifications) return tracker;
  return new AgentPresence({
    tracker,
    store: redis ? new RedisPresenceStore(redis) : new LocalPresenceStore(),
    clock,
    log,
    graceMs: notifications.disconnectGraceMs,
    tell: (notification) => notifications.tell(notification),
  });
}

function openGitops(
  { config, parts, metrics, log }: KasListenersInput,
  shared: Pick<GitopsServiceOptions, "repositories" | "counter" | "syncs">,
): ReturnType<typeof gitopsService> {
  const { clock, gitaly, ledger } = parts;
  const { authenticator, projects } = parts.provider;
  const { gitops, listen } = config.agent;
  return gitopsService({
    authenticator,
    projects,
    gitaly,
    ledger,
    ...shared,
    clock,
    log,
    metrics: createGitopsMetrics(metrics.registry),
    onSent: () => parts.usage.add("gitops_sync_count"),
    streams: { perAgent: config.limits.gitops_streams_per_agent_per_minute, inAll: config.limits.gitops_streams_per_minute },
    pollMs: gitops.poll_period,
    maxAgeMs: listen.max_connection_age * 0.45,
    maxPaths: gitops.max_number_of_paths,
    limits: {
      maxFiles: gitops.max_number_of_files,
      maxFileBytes: gitops.max_manifest_file_size,
      maxTotalBytes: gitops.max_total_manifest_file_size,
    },
  });
}

function openApi(
  { config, parts, metrics, log }: KasListenersInput,
  { pushes, syncs, views }: { readonly pushes: PushNotices; readonly syncs: SyncStore; readonly views: OpenedViewHub },
): Promise<Http2Listener> {
  const listen = config.api?.listen;
  if (listen === undefined) throw new Fault("internal", "the API listener is not configured");
  const gate = new JwtGate({
    secret: readSecretFile(listen.authentication_secret_file, "api.listen.authentication_secret_file"),
    issuers: listen.allowed_issuers ?? [
      "gitlab",
      new URL(parts.provider.externalUrl).hostname,
      ...(config.gitlab === undefined ? [] : [new URL(config.gitlab.address).hostname]),
    ],
    clock: parts.clock,
  });
  const { tracker, router, gitaly, clock } = parts;
  const services = apiServices({
    tracker,
    router,
    clock,
    ...exchangeHandlers({ metrics, log, ledger: parts.ledger, registry: parts.registry }),
    gitaly,
    pushes,
    log,
    waitMs: config.limits.agent_wait,
    version: KAS_VERSION,
  });
  const manifests = syncApi(syncs, clock);
  const ofViews = viewsService({ hub: views.hub, clock, log, served: config.api?.views ?? [], waitMs: config.limits.agent_wait });
  const ofClusters = serviceApi({
    ...exchangeHandlers({ metrics, log, ledger: parts.ledger, registry: parts.registry }),
    router,
    clock,
    log,
    authorizer: parts.provider.authorizer,
    audit: parts.audit,
    ledger: parts.ledger,
    waitMs: config.limits.agent_wait,
  });
  const connectHandler = createTypedHandler({
    readMaxBytes: API_MESSAGE_BYTES,
    routes: (connectRouter) => {
      services(connectRouter);
      manifests(connectRouter);
      ofViews(connectRouter);
      ofClusters(connectRouter);
    },
  });
  return openApiListener({
    ...http2Options(listen),
    maxUnauthenticatedPerAddress: config.limits.unauthenticated_connections_per_address,
    clock,
    log,
    gate,
    metrics: metrics.routing,
    connectHandler,
  });
}

function openPrivateApi({ config, parts, metrics, log }: KasListenersInput): Promise<Http2Listener> {
  const listen = config.private_api?.listen;
  const { tokens, registry, clock, localRouter } = parts;
  if (listen === undefined || tokens === undefined) throw new Fault("internal", "the internal listener is not configured");
  return openInternalListener({
    ledger: parts.ledger,
    ...http2Options(listen),
    clock,
    log,
    registry,
    tokens,
    routedServices: ROUTED_SERVICES,
    metrics: metrics.routing,
    maxUnauthenticatedPerAddress: config.limits.unauthenticated_connections_per_address,
    connectHandler: createTypedHandler({
      readMaxBytes: SMALL_MESSAGE_BYTES,
      routes: internalServices(localRouter, {
        waitMs: 2_000,
        log,
        clock,
        ...exchangeHandlers({ metrics, log, ledger: parts.ledger, registry: parts.registry }),
      }),
    }),
  });
}
