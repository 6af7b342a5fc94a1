import { Fault } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { ConfigurationErrors } from "../agent-configuration/configuration-errors.ts";
import { listenAddressOf, tlsOf } from "../config/listen-settings.ts";
import type { KasConfig } from "../config/schema.ts";
import type { SyncStore } from "../gitops/sync-store.ts";
import { Refusals } from "../http2-listener/refusals.ts";
import { AgentEndpoint } from "../kubernetes-api/agent-status/agent-endpoint.ts";
import { AgentReaderGate } from "../kubernetes-api/agent-status/agent-reader-gate.ts";
import { CallerAccess } from "../kubernetes-api/access/caller-access.ts";
import { KubernetesApiListener } from "../kubernetes-api/listener/kubernetes-api-listener.ts";
import { KubernetesProxy } from "../kubernetes-api/proxy/kubernetes-proxy.ts";
import { ServiceEndpoint } from "../kubernetes-api/services/service-endpoint.ts";
import { LogsEndpoint } from "../kubernetes-api/streams/logs-endpoint.ts";
import { ViewsEndpoint } from "../kubernetes-api/streams/views-endpoint.ts";
import { ReaderGate } from "../kubernetes-api/syncs/reader-gate.ts";
import { SyncEndpoint } from "../kubernetes-api/syncs/sync-endpoint.ts";
import { WatchEndpoint } from "../kubernetes-api/watch-socket/watch-endpoint.ts";
import { exchangeHandlers } from "./exchange-handlers.ts";
import { KAS_VERSION, type KasParts } from "./kas-parts.ts";
import type { KasMetrics } from "./metrics.ts";
import type { OpenedViewHub } from "./open-view-hub.ts";

/** What the Kubernetes port is made from. */
export interface KubernetesApiInput {
  readonly config: KasConfig;
  readonly parts: KasParts;
  readonly metrics: KasMetrics;
  readonly log: Logger;
  readonly errors: ConfigurationErrors;
  readonly syncs: SyncStore;
  readonly views: OpenedViewHub;
}

/** Opens the port for Kubernetes clients with all its endpoints. @throws Error that names the listener and its address */
export function openKubernetesApi(input: KubernetesApiInput): Promise<KubernetesApiListener> {
  const { config, parts, metrics, log, errors, syncs, views } = input;
  const settings = config.agent.kubernetes_api;
  if (settings === undefined) throw new Fault("internal", "the Kubernetes proxy is not configured");
  const prefix = settings.url_path_prefix;
  const { clock, router, provider, trustedProxies } = parts;
  const shared = {
    router,
    clock,
    log,
    pathPrefix: prefix.endsWith("/") ? prefix : `${prefix}/`,
    allowedOrigin: new URL(provider.externalUrl).origin,
    waitMs: config.limits.agent_wait,
    ...exchangeHandlers({ metrics, log, ledger: parts.ledger, registry: parts.registry }),
  };
  const callers = new CallerAccess({
    ...shared,
    authorizer: provider.authorizer,
    trustedProxies,
    audit: parts.audit,
    ledger: parts.ledger,
    forbidImpersonation: settings.forbid_client_impersonation,
    serverName: `gitlab-kas/${KAS_VERSION.version}/${KAS_VERSION.gitRef}`,
    onAnswer: (statusCode) => metrics.proxied(statusCode),
  });
  const proxy = new KubernetesProxy({
    ...shared,
    callers,
    viewsOf: (agentId) => views.hub.engineOf(agentId),
    upgrades: { idleMs: settings.upgrade_idle_timeout, maxMs: settings.upgrade_max_duration, ...metrics.upgrades },
    watchBudget: (agentId, caller) => parts.registry.watchBudget(agentId, caller),
    errors,
    onAuthorized: () => parts.usage.add("k8s_api_proxy_request_count"),
  });
  const refusals = new Refusals({ listener: "k8s_proxy", clock, log, metrics: metrics.routing });
  const watch = new WatchEndpoint({ ...shared, callers, refusals });
  const readers = ReaderGate.ofFile(settings.manifest_reader_secret_file, clock);
  const ofSyncs = new SyncEndpoint({ callers, store: syncs, clock, pathPrefix: shared.pathPrefix, readers });
  const ofAgent = new AgentEndpoint({
    callers,
    tracker: parts.tracker,
    history: parts.history,
    errors,
    clock,
    kas: { name: parts.kasName, version: KAS_VERSION.version },
    pathPrefix: shared.pathPrefix,
    readers: AgentReaderGate.ofFile(settings.manifest_reader_secret_file, clock),
  });
  const ofViews = new ViewsEndpoint({ ...shared, ...views, callers });
  const ofLogs = new LogsEndpoint({ ...shared, callers, metrics: metrics.logs });
  const endpoints = [watch, ofSyncs, ofAgent, ofViews, ofLogs, new ServiceEndpoint({ callers, proxy, pathPrefix: shared.pathPrefix })];
  return KubernetesApiListener.open({
    listen: listenAddressOf(settings.listen),
    tls: tlsOf(settings.listen),
    proxy,
    clock,
    refusals,
    graceMs: settings.listen.grace_period,
    upgrade: (request, socket, head) => watch.upgrade(request, socket, head),
    intercept: (request, response) =>
      provider.userTokens?.intercept(request, response, shared.pathPrefix) === true ||
      endpoints.some((endpoint) => endpoint.intercept(request, response)),
    onLeave: () => {
      proxy.leave();
      ofLogs.leave();
      watch.close();
    },
  });
}
