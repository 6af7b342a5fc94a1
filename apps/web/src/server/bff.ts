import { ByteBudget } from "@binnacle/environment-view";
import { RuleEngine } from "@binnacle/health-lua";
import { nodeExpressions } from "@binnacle/pod-logs/node-expressions";
import { Fault, httpStatusOf, type Clock } from "@binnacle/rpc";
import { type Logger } from "@binnacle/telemetry";
import { safeReturnPath } from "../features/session/safe-return-path.ts";
import { signInPath } from "../features/session/sign-in-path.ts";
import { ActionResults } from "./actions/action-results.ts";
import { ActNotices } from "./authors/viewer-act.ts";
import { ViewerActs } from "./authors/viewer-acts.ts";
import { AgentReaderAssertion } from "./agents/agent-reader-assertion.ts";
import { AgentAbsences } from "./kas/agent-absences.ts";
import { ViewerPermissions } from "./kas/viewer-permissions.ts";
import { CollectAfterLoad } from "./base/collect-after-load.ts";
import { CallLimits, type CallBound } from "./wire/call-limits.ts";
import { NO_AUDIT, type AuditSink } from "./audit/audit-sink.ts";
import { ClusterRules } from "./shared-views/cluster-rules.ts";
import { addressesOf, edgeRulesOf, type WebConfig } from "./config/config.ts";
import { type NodeHandler } from "./wire/connect-handler.ts";
import { ENDED_PATH } from "./session/peer-notices.ts";
import {
  createDashboardHandler,
  createInProcessDashboard,
  type DashboardContext,
  type DashboardServiceOptions,
} from "./dashboard-service.ts";
import { fetchHeadersOf } from "./base/fetch-headers.ts";
import { followAuthority } from "./http/follow-certificate.ts";
import { type InProcessHandler } from "./wire/in-process-handler.ts";
import { HttpDialer, proxyLog } from "./http/http-dialer.ts";
import { LogsSocket, MAX_LOGS_INPUT_BYTES, type LogsSocketContext } from "./logs/logs-socket.ts";
import { LogsTickets } from "./logs/logs-tickets.ts";
import { SocketEndpoint } from "./sockets/socket-endpoint.ts";
import { createSocketKind } from "./sockets/socket-kind.ts";
import { MAX_TERMINAL_INPUT_BYTES, Terminal, type TerminalContext } from "./terminal/terminal.ts";
import { TerminalTickets } from "./terminal/terminal-tickets.ts";
import { type UpgradeHandler } from "./http/raw-connections.ts";
import { SnapshotCache } from "./shared-views/snapshot-cache.ts";
import { GitlabMainApplication } from "./gitlab/gitlab.ts";
import { StandaloneMainApplication } from "./standalone/standalone.ts";
import { UserTokensClient } from "./standalone/user-tokens-client.ts";
import { AccessTokens } from "./standalone/access-tokens.ts";
import { StateFile, type OrganizationFiles } from "@binnacle/organization";
import { CredentialNames } from "./main-application/credential-names.ts";
import { sessionEnded } from "./base/session-ended.ts";
import { RefusalsByAgent } from "./base/remembered-refusal.ts";
import { pathPrefixOf } from "./base/path-prefix.ts";
import { isSameOrigin } from "./http/edge-rules.ts";
import { type PageRenewal } from "./http/web-server.ts";
import { type FollowViews } from "./environment/open-views.ts";
import { type SignInBound } from "./http/sign-in-limit.ts";
import { SummaryRegistry } from "./index/summary-registry.ts";
import { RecordPool } from "./overview/record-pool.ts";
import { VersionDistances } from "./overview/version-distances.ts";
import { DeliveryJournal } from "./delivery/delivery-journal.ts";
import { GitopsSyncs } from "./syncs/gitops-syncs.ts";
import { ManifestFiles } from "./manifest/manifest-files.ts";
import { KasOffers } from "./kas/kas-offers.ts";
import { KeptProofs } from "./syncs/kept-proofs.ts";
import { ReaderAssertion } from "./syncs/reader-assertion.ts";
import { TeamFiles } from "./team-file/team-files.ts";
import { createLogsSocketMetrics, createTerminalMetrics } from "./metrics/call-metrics.ts";
import { observeViews } from "./metrics/view-metrics.ts";
import { ViewRegistry } from "./shared-views/view-registry.ts";
import { MetricsApi } from "./workload-metrics/metrics-api.ts";
import { PrometheusMetrics } from "./workload-metrics/prometheus-metrics.ts";
import { WebSessions } from "./session/web-sessions.ts";
import { type WebMetrics } from "./metrics/web-metrics.ts";

/** What the dashboard's server asks of the backend-for-frontend. */
export interface Bff {
  /** `dashboard.v1.Dashboard` below `/api/rpc`. */
  readonly rpc: NodeHandler;
  /** Connections that ask for another protocol: sockets of terminals and logs. */
  readonly upgrade: UpgradeHandler;
  /** The same service, and `GET /api/session`, for the pages that this process renders, with the credential of the page's request. */
  readonly inProcess: InProcessHandler;
  /** `/api/session` and what is below it. */
  session(request: Request): Promise<Response>;
  /** Names the session of a page's request; `undefined` without one. */
  sessionName(cookieHeader: string | undefined): Promise<string | undefined>;
  /** Where a page's request goes first when the tokens of its session have ended, or else when the page renews them. */
  renewal(cookieHeader: string | undefined, returnPath: string): Promise<PageRenewal | undefined>;
  /** The main application's or the provider's sign-in that leads back to a route of the dashboard, written without the prefix. */
  signInUrl(returnPath: string): string;
  /** Ends live streams: their browsers come back, perhaps to another process. Other calls go on. */
  drain(): void;
  /** Ends calls, views and connections. */
  close(): Promise<void>;
}

/** Everything the BFF is made of. */
export interface BffOptions {
  readonly config: WebConfig;
  readonly clock: Clock;
  readonly log: Logger;
  /** The files of `main_application.organization`, which the caller closes; absent with GitLab. */
  readonly organization?: Pick<OrganizationFiles, "current"> | undefined;
  /** Default: nothing is recorded. */
  readonly audit?: AuditSink | undefined;
  readonly metrics: Pick<WebMetrics, "refused"> & Partial<Pick<WebMetrics, "calls" | "registry" | "unusableSession">>;
}

/** Reading an object of a cluster is dearer than asking kas for what it keeps: that is done so many times as seldom. */
const TOOLS_PERIODS = 1.5;
const ACCESS_TOKENS_PATH = "/api/session/access-tokens";
const FOREIGN_ORIGIN = { message: "This address answers only to the dashboard's own pages." };

/** Builds the backend-for-frontend; nothing is dialled before the first request. */
export function createBff({ config, clock, log, organization, audit = NO_AUDIT, metrics }: BffOptions): Bff {
  const addresses = addressesOf(config);
  const pathPrefix = pathPrefixOf(config.external_url);
  const authority = config.ca_certificate_file;
  const caCertificate = authority?.content;
  const { proxy } = config.main_application;
  const mainDialer = new HttpDialer({ ...addresses.mainApplication, caCertificate, proxy, proxyFailed: proxyLog(log) });
  const kasDialer = new HttpDialer({ ...addresses.kas, caCertificate });
  const engine = new RuleEngine({ clock });
  const { argocd_namespace: argocdNamespace, flux, poll_period: pollMs, file } = config.health_rules;
  const healthRules = new ClusterRules({ engine, clock, log, argocdNamespace, flux, pollMs, ...(file === undefined ? {} : { file }) });
  const { bytes: viewBytes, process_bytes: processBytes, of_agents: ofAgents } = config.views;
  const preferAgents = ofAgents === "prefer";
  const kept = { views: new ByteBudget(processBytes), viewBytes };
  const customEdges = edgeRulesOf(config.graph);
  const pictures = new SnapshotCache({ clock, views: kept.views });
  const toolPollMs = TOOLS_PERIODS * config.gitops.poll_period;
  const registry = new ViewRegistry({ clock, log, healthRules, customEdges, kept, pictures, toolPollMs, preferAgents });
  const followViews = (tenant: string): FollowViews => registry.followViews(tenant);
  const summaries = new SummaryRegistry({ clock, log, healthRules, customEdges, preferAgents, kept, pictures, followViews });
  const permissions = new ViewerPermissions(clock);
  if (metrics.registry) observeViews(metrics.registry, () => registry.statistics());
  const draining = new AbortController();
  const shutdown = new AbortController();
  const refused = (reason: CallBound | SignInBound): void => {
    metrics.refused(reason);
    log.debug({ reason }, "a request ran into a limit");
  };
  const names = new CredentialNames();
  const webSecret = config.main_application.web_secret_file?.content;
  const users = webSecret && new UserTokensClient(kasDialer, webSecret, clock);
  const { username_claim: username = "sub", groups_claim: groups = "groups" } = config.sign_in.oidc ?? {};
  const claims = { username, groups };
  const mainApplication =
    organization === undefined
      ? new GitlabMainApplication(mainDialer, { names, clock })
      : new StandaloneMainApplication({ url: config.external_url, files: organization, names, clock, users, claims });
  const stateFile = config.main_application.state_file;
  const accessTokens =
    organization &&
    users &&
    new AccessTokens({
      files: organization,
      state: stateFile === undefined ? undefined : new StateFile(stateFile, clock),
      server: config.kas.external_url,
      clock,
      log,
    });
  const sessions = new WebSessions({
    config,
    pathPrefix,
    mainApplication,
    signInWithPassword: users && ((user, signal) => users.signIn(user, signal)),
    names,
    clock,
    log,
    refused,
    unusable: () => metrics.unusableSession?.(),
    over: (sessionId) => {
      registry.sessionEnded(sessionId);
      summaries.sessionEnded(sessionId);
      permissions.sessionEnded(sessionId);
    },
  });
  const unfollow = authority && followAuthority(authority, [mainDialer, kasDialer, sessions], { clock, log });
  const signInUrl = (returnPath: string): string => {
    if (sessions.oidc !== undefined) return sessions.oidc.startUrl(returnPath);
    if (organization !== undefined) return new URL(`${pathPrefix}${signInPath(safeReturnPath(returnPath))}`, config.external_url).href;
    const url = new URL("/users/sign_in", config.main_application.external_url);
    url.searchParams.set("return_to", new URL(`${pathPrefix}${safeReturnPath(returnPath)}`, config.external_url).href);
    return url.href;
  };
  const actNotices = new ActNotices((purpose) => sessions.sealedClaims(purpose), clock);
  const acts = new ViewerActs(clock, (act) => {
    void actNotices.seal(act).then((sealed) => sessions.tellPeersOfAct(sealed)); // sealing does not fail
  });
  const readerSecret = config.kas.manifest_reader_secret_file;
  const expressions = nodeExpressions(clock);
  const context: DashboardContext & TerminalContext & LogsSocketContext = {
    clock,
    log,
    audit,
    acts,
    actionResults: new ActionResults(clock),
    registry,
    summaries,
    pictures,
    permissions,
    absences: new AgentAbsences(clock),
    withoutLogs: new RefusalsByAgent(clock),
    expressions,
    teamFiles: new TeamFiles({ clock, log }),
    deliveries: new DeliveryJournal(clock),
    records: new RecordPool(),
    distances: new VersionDistances(clock),
    manifestFiles: new ManifestFiles(clock),
    gitops: new GitopsSyncs({
      clock,
      log,
      pollMs: config.gitops.poll_period,
      readers: readerSecret && new ReaderAssertion(readerSecret.content, clock),
      proofs: new KeptProofs(readerSecret?.content),
    }),
    metrics: { service: config.metrics.service, prometheus: new PrometheusMetrics(clock), api: new MetricsApi(clock) },
    agents: {
      kasAddress: config.kas.agent_address ?? "",
      readers: readerSecret && new AgentReaderAssertion(readerSecret.content, clock),
    },
    features: config.features,
    kasDialer,
    kasOffers: new KasOffers(clock),
    reading: new ByteBudget(processBytes),
    wording: { product: config.main_application.name, troubleshootingUrl: config.main_application.troubleshooting_url },
    signInPageUrl: (returnPath) => new URL(`${pathPrefix}${signInPath(safeReturnPath(returnPath))}`, config.external_url).href,
    mainApplicationPollMs: config.main_application.poll_period,
    signInUrl,
  };
  const load = new CollectAfterLoad(clock);
  const limits = new CallLimits(refused);
  const tickets = new TerminalTickets((purpose) => sessions.sealedClaims(purpose), clock);
  const logsTickets = new LogsTickets((purpose) => sessions.sealedClaims(purpose), clock);
  const restart = AbortSignal.any([draining.signal, shutdown.signal]);
  const terminalMetrics = createTerminalMetrics(metrics.registry);
  const terminals = createSocketKind({
    tickets,
    maxMessageBytes: MAX_TERMINAL_INPUT_BYTES,
    run: async (socket, claims, viewer) => terminalMetrics.begin()(await new Terminal({ context, socket, claims, ...viewer }).run()),
  });
  const logsMetrics = createLogsSocketMetrics(metrics.registry);
  const logs = createSocketKind({
    tickets: logsTickets,
    maxMessageBytes: MAX_LOGS_INPUT_BYTES,
    run: async (socket, claims, viewer) => logsMetrics.begin()(await new LogsSocket({ context, socket, claims, viewer }).run()),
  });
  const kinds = [terminals, logs];
  const sockets = new SocketEndpoint({ log, externalUrl: config.external_url, sessions, kinds, limits, load, restart });
  const service: DashboardServiceOptions = {
    context,
    prefix: "/api/rpc",
    authority: new URL(config.external_url).host,
    metrics: metrics.calls,
    draining: draining.signal,
    shutdown: shutdown.signal,
    limits,
    sessionName: (cookieHeader) => sessions.nameOf(cookieHeader),
    tickets,
    logsTickets,
    streams: sessions.streams,
    load,
    session: (headers, identified) => sessions.callOf(headers, identified),
  };
  const rpc = createDashboardHandler(service);
  const inProcessDashboard = createInProcessDashboard(service);
  const answerAccessTokens = async (request: Request): Promise<Response> => {
    if (accessTokens === undefined) return new Response(null, { status: 404 });
    try {
      const call = await sessions.callOf(request.headers, () => undefined);
      if (call === undefined) throw sessionEnded();
      const { username } = await call.viewerAccess.viewer(request.signal);
      return await accessTokens.handle(request, username);
    } catch (error) {
      if (error instanceof Fault) return Response.json({ message: error.message }, { status: httpStatusOf(error.code) });
      throw error;
    }
  };
  const bff: Bff = {
    rpc: async (request, response) => {
      if (isSameOrigin(fetchHeadersOf(request), config.external_url)) return rpc(request, response);
      // Its body is not wanted: the connection ends with the answer.
      response.shouldKeepAlive = false;
      response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify(FOREIGN_ORIGIN));
    },
    session: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const reading = request.method === "GET" || request.method === "HEAD";
      const navigated = await sessions.navigate(request);
      if (navigated !== undefined) return navigated;
      if (pathname === "/api/session/start" && reading) return redirect(signInUrl(searchParams.get("return_to") ?? "/"));
      if (pathname === "/api/session" && reading) {
        const body = { mainApplication: config.main_application.name, ...(await sessions.describe(request.headers.get("cookie"))) };
        return Response.json(body, { headers: { "cache-control": "no-store" } });
      }
      if (!isSameOrigin(request.headers, config.external_url)) return foreignOrigin();
      if (pathname === ACCESS_TOKENS_PATH) return answerAccessTokens(request);
      if (pathname === ENDED_PATH && request.method === "POST") {
        const notice = await request.text();
        const act = await actNotices.open(notice);
        if (act === "malformed") log.warn("a notice of an action has an unknown shape");
        else if (act !== undefined) acts.receive(act);
        else {
          const taken = await Promise.all(kinds.map((kind) => kind.receiveNotice(notice)));
          if (!taken.includes(true)) await sessions.hear(notice);
        }
        // A client that is no peer learns nothing.
        return new Response(null, { status: 204 });
      }
      if (request.method === "DELETE") sessions.signOutOfMain(request.headers.get("cookie"));
      return sessions.handle(request);
    },
    upgrade: sockets.upgrade,
    inProcess: async (url, init) =>
      new URL(url).pathname === "/api/session" ? bff.session(new Request(url, { headers: init.headers })) : inProcessDashboard(url, init),
    sessionName: (cookieHeader) => sessions.nameOf(cookieHeader),
    renewal: (cookieHeader, returnPath) => sessions.renewal(cookieHeader, returnPath),
    signInUrl,
    drain: () => draining.abort(),
    async close() {
      shutdown.abort();
      await sockets.close();
      load.close();
      await sessions.close();
      unfollow?.();
      await summaries.close();
      await registry.close();
      await engine.close();
      expressions.close();
      await Promise.all([mainDialer.close(), kasDialer.close()]);
    },
  };
  return bff;
}

function foreignOrigin(): Response {
  return Response.json(FOREIGN_ORIGIN, { status: 403 });
}

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
}
