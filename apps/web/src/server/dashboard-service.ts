import { Agents } from "@binnacle/proto/dashboard-agents";
import { Logs } from "@binnacle/proto/dashboard-logs";
import { Settings } from "@binnacle/proto/dashboard-settings";
import { Dashboard, ListProjectsResponseSchema, ProjectSchema } from "@binnacle/proto/dashboard";
import { Fault } from "@binnacle/rpc";
import { toConnectError } from "@binnacle/rpc/connect-error";
import { create } from "@bufbuild/protobuf";
import { type Logger } from "@binnacle/telemetry";
import { ConnectError, type ConnectRouter, type Interceptor, type ServiceImpl } from "@connectrpc/connect";
import type { AgentsContext } from "./agents/agents-context.ts";
import { createAgentsService } from "./agents-service.ts";
import { changing, logsWithin, streamWithin, within, type CallGate } from "./call-gate.ts";
import { getSchema } from "./actions/edit/get-schema.ts";
import { openEditor, type EditorContext } from "./actions/edit/open-editor.ts";
import { MAX_DOCUMENT_BYTES } from "./action-plans/edit/read-document.ts";
import { listRevisions } from "./actions/list-revisions.ts";
import { previewAction, type PreviewContext } from "./actions/preview-action.ts";
import { reviewActions, type ReviewActionsContext } from "./actions/review-actions.ts";
import { runAction, type RunActionContext } from "./actions/run-action.ts";
import { askGitops, type AskGitopsContext } from "./delivery/ask-gitops.ts";
import { reviewGitops, type ReviewGitopsContext } from "./delivery/review-gitops.ts";
import { type CallMetrics, countCalls } from "./metrics/call-metrics.ts";
import { createConnectHandler, type NodeHandler } from "./wire/connect-handler.ts";
import { createInProcessHandler, type InProcessHandler } from "./wire/in-process-handler.ts";
import { addDebugContainer, previewDebugContainer, type DebugContext } from "./terminal/debug-container.ts";
import { openTerminal, type OpenTerminalContext } from "./terminal/open-terminal.ts";
import { openLogs, type LogsTickets } from "./logs/logs-tickets.ts";
import { MAX_REQUEST_BYTES } from "./logs/logs-request.ts";
import { type TerminalTickets } from "./terminal/terminal-tickets.ts";
import { getMetrics, type MetricsContext } from "./workload-metrics/get-metrics.ts";
import { compareResource, type CompareContext } from "./manifest/compare-resource.ts";
import { toViewer } from "./environment/environment-messages.ts";
import { readLogsAsViewer, type ReadLogsContext } from "./logs/read-logs-as-viewer.ts";
import { NOTE_BLOCK } from "./wire/outgoing-blocks.ts";
import { type HeldContext, listHeldResources } from "./projects/loaded-environments.ts";
import { listNodePods } from "./projects/list-node-pods.ts";
import { summarizeProjects } from "./projects/summarize-projects.ts";
import { getResource, type ResourceDetailContext } from "./resource/resource-detail.ts";
import { sessionEnded } from "./base/session-ended.ts";
import { cookiesOf } from "./session/bearer-tokens.ts";
import { deleteEnvironment, stopEnvironment } from "./settings/end-environment.ts";
import { getSettings } from "./settings/get-settings.ts";
import { previewSettings, type PreviewSettingsContext } from "./settings/preview-settings.ts";
import { createEnvironment, saveSettings, type SaveSettingsContext } from "./settings/save-settings.ts";
import { summarizeEnvironment, type SummarizeContext } from "./view/summarize-environment.ts";
import { positionOf, watchEnvironment } from "./view/watch-environment.ts";
import { watchEnvironments } from "./index/watch-environments.ts";
import { watchTopics, type TopicsContext } from "./topics/watch-topics.ts";

/** What all calls work with; each module of a call says what it needs of it. */
export type DashboardContext = TopicsContext &
  SummarizeContext &
  HeldContext &
  ResourceDetailContext &
  CompareContext &
  MetricsContext &
  ReviewGitopsContext &
  AskGitopsContext &
  ReviewActionsContext &
  PreviewContext &
  RunActionContext &
  EditorContext &
  OpenTerminalContext &
  DebugContext &
  PreviewSettingsContext &
  SaveSettingsContext &
  AgentsContext &
  ReadLogsContext & { readonly log: Logger };

/** What the service works with. */
export interface DashboardServiceOptions extends CallGate {
  readonly context: DashboardContext;
  /** Names the session of a request; `undefined` without one. */
  readonly sessionName: (cookieHeader: string | undefined) => Promise<string | undefined>;
  readonly tickets: Pick<TerminalTickets, "seal">;
  readonly logsTickets: Pick<LogsTickets, "seal">;
  /** Ends everything. */
  readonly shutdown: AbortSignal;
  /** Path below which procedures are served, "/api/rpc". */
  readonly prefix: string;
  /** What browsers call this server, "host:port". */
  readonly authority: string;
  /** Absent: nothing is counted. */
  readonly metrics?: CallMetrics | undefined;
}

/** The services of `dashboard.v1` for POST. Unknown procedures are 404. */
export function createDashboardHandler(options: DashboardServiceOptions): NodeHandler {
  const { authority, metrics } = options;
  const uncompressed = new Set([Logs.typeName, Agents.typeName]);
  return createConnectHandler({ ...servedBy(options), authority, uncompressed, ...(metrics ? { counted: metrics.streamBytes } : {}) });
}

/** The same service for pages of this process: the same authentication, limits and counters as for calls from outside. */
export function createInProcessDashboard(options: DashboardServiceOptions): InProcessHandler {
  return createInProcessHandler(servedBy(options));
}

/** Two documents of an edit, and what is around them. */
const DOCUMENTS = { readMaxBytes: 2 * MAX_DOCUMENT_BYTES + 64 * 1024 };

function servedBy(options: DashboardServiceOptions) {
  const { context, shutdown, prefix, metrics } = options;
  const dashboard = createDashboardService(options);
  const logs = createLogsService(options);
  const { previewAction: preview, act, openEditor: open } = Dashboard.method;
  return {
    prefix,
    readMaxBytes: 64 * 1024,
    shutdownSignal: shutdown,
    interceptors: [...(metrics ? [countCalls(metrics)] : []), convertErrors(context)],
    routes: (router: ConnectRouter) => {
      router
        .service(Dashboard, dashboard)
        .service(Logs, logs)
        .service(Settings, createSettingsService(options))
        .service(Agents, createAgentsService(options));
      // Of two handlers of a path the later one is served.
      router.rpc(preview, dashboard.previewAction, DOCUMENTS).rpc(act, dashboard.act, DOCUMENTS).rpc(open, dashboard.openEditor, DOCUMENTS);
      router.rpc(Logs.method.readLogs, logs.readLogs, { readMaxBytes: MAX_REQUEST_BYTES });
    },
  };
}

function createLogsService(options: DashboardServiceOptions): ServiceImpl<typeof Logs> {
  return {
    readLogs: (request, call) =>
      logsWithin(options, call, ({ viewerAccess, signal }) => readLogsAsViewer(options.context, { viewerAccess, request }, signal)),
    openLogs: (request, call) =>
      changing(options, call, async ({ viewerAccess, signal }) => {
        const session = await options.sessionName(cookiesOf(call.requestHeader));
        return openLogs(options.context, options.logsTickets, { viewerAccess, session, request, signal });
      }),
  };
}

function createSettingsService(options: DashboardServiceOptions): ServiceImpl<typeof Settings> {
  const { context } = options;
  return {
    getEnvironmentSettings: ({ projectPath, environment }, call) =>
      within(options, call, ({ viewerAccess, signal }) => getSettings(context, { viewerAccess, projectPath, environment, signal })),
    previewEnvironmentSettings: (request, call) =>
      within(options, call, ({ viewerAccess, signal }) => previewSettings(context, { viewerAccess, request, signal })),
    saveEnvironmentSettings: (request, call) =>
      changing(options, call, ({ viewerAccess, signal }) => saveSettings(context, { viewerAccess, request, signal })),
    createEnvironment: (request, call) =>
      changing(options, call, ({ viewerAccess, signal }) => createEnvironment(context, { viewerAccess, request, signal })),
    stopEnvironment: (request, call) =>
      changing(options, call, ({ viewerAccess, signal }) => stopEnvironment(context, { viewerAccess, request, signal })),
    deleteEnvironment: (request, call) =>
      changing(options, call, ({ viewerAccess, signal }) => deleteEnvironment(context, { viewerAccess, request, signal })),
  };
}

function createDashboardService(options: DashboardServiceOptions): ServiceImpl<typeof Dashboard> {
  const { context } = options;
  return {
    listProjects: (_request, call) =>
      within(options, call, async ({ viewerAccess, signal }) => {
        if (!viewerAccess) throw sessionEnded();
        const { viewer, projects } = await viewerAccess.projects(signal);
        return create(ListProjectsResponseSchema, {
          projects: projects.map((project) => create(ProjectSchema, project)),
          viewer: toViewer(viewer, undefined),
        });
      }),
    watchEnvironments: ({ projectPath, visible, issues }, call) =>
      streamWithin(options, call, ({ viewerAccess, signal }) =>
        watchEnvironments(context, { viewerAccess, projectPath, visible, issues }, signal),
      ),
    watchEnvironment: (names, call) =>
      streamWithin(options, call, ({ viewerAccess, signal }) =>
        watchEnvironment(context, { viewerAccess, names, after: positionOf(names), noteBlock: call.values.get(NOTE_BLOCK) }, signal),
      ),
    summarizeEnvironment: (names, call) =>
      streamWithin(options, call, ({ viewerAccess, signal }) => summarizeEnvironment(context, { viewerAccess, names }, signal)),
    watch: ({ topics }, call) =>
      streamWithin(options, call, ({ viewerAccess, signal }) =>
        watchTopics(context, { viewerAccess, topics, noteBlock: call.values.get(NOTE_BLOCK) }, signal),
      ),
    summarizeProjects: ({ fullPaths }, call) =>
      streamWithin(options, call, ({ viewerAccess, signal }) => summarizeProjects(context, { viewerAccess, fullPaths }, signal)),
    listHeldResources: ({ projectPath }, call) =>
      within(options, call, ({ viewerAccess, signal }) => listHeldResources(context, { viewerAccess, projectPath, signal })),
    listNodePods: ({ projectPath, environment, node }, call) =>
      within(options, call, ({ viewerAccess, signal }) => listNodePods(context, { viewerAccess, projectPath, environment, node, signal })),
    getResource: (request, call) =>
      within(options, call, ({ viewerAccess, signal }) => getResource(context, { viewerAccess, request, signal })),
    compareManifest: (request, call) =>
      within(options, call, ({ viewerAccess, signal }) => compareResource(context, { viewerAccess, request, signal })),
    getMetrics: (request, call) =>
      within(options, call, ({ viewerAccess, signal }) => getMetrics(context, { viewerAccess, request, signal })),
    reviewGitops: ({ target }, call) =>
      within(options, call, ({ viewerAccess, signal }) => reviewGitops(context, { viewerAccess, target }, signal)),
    askGitops: (request, call) =>
      changing(options, call, ({ viewerAccess, signal }) => askGitops(context, { viewerAccess, request }, signal)),
    reviewActions: ({ target }, call) =>
      within(options, call, ({ viewerAccess, signal }) => reviewActions(context, { viewerAccess, target, signal })),
    listRevisions: ({ target }, call) =>
      within(options, call, ({ viewerAccess, signal }) => listRevisions(context, { viewerAccess, target, signal })),
    previewAction: (request, call) =>
      within(options, call, ({ viewerAccess, signal }) => previewAction(context, { viewerAccess, request, signal })),
    act: (request, call) => changing(options, call, ({ viewerAccess, signal }) => runAction(context, { viewerAccess, request, signal })),
    openEditor: (request, call) =>
      changing(options, call, ({ viewerAccess, signal }) => openEditor(context, { viewerAccess, request, signal })),
    getSchema: ({ target }, call) =>
      within(options, call, ({ viewerAccess, signal }) => getSchema(context, { viewerAccess, target, signal })),
    openTerminal: (request, call) =>
      changing(options, call, async ({ viewerAccess, signal }) => {
        const session = await options.sessionName(cookiesOf(call.requestHeader));
        return openTerminal(context, options.tickets, { viewerAccess, session, request, signal });
      }),
    previewDebugContainer: (request, call) =>
      within(options, call, ({ viewerAccess, signal }) => previewDebugContainer(context, { viewerAccess, request, signal })),
    addDebugContainer: (request, call) =>
      changing(options, call, ({ viewerAccess, signal }) => addDebugContainer(context, { viewerAccess, request, signal })),
  };
}

/** Faults become their codes; bugs are logged here, once, and travel as "internal". */
function convertErrors({ log }: { readonly log: Logger }): Interceptor {
  const convert = (error: unknown, method: string): ConnectError => {
    if (!(error instanceof Fault) && !(error instanceof ConnectError)) log.error({ error, method }, "a call failed");
    return toConnectError(error);
  };
  return (next) => async (request) => {
    try {
      const response = await next(request);
      if (!response.stream) return response;
      return { ...response, message: guard(response.message, (error) => convert(error, request.method.name)) };
    } catch (error) {
      throw convert(error, request.method.name);
    }
  };
}

async function* guard<T>(messages: AsyncIterable<T>, convert: (error: unknown) => ConnectError): AsyncIterable<T> {
  try {
    yield* messages;
  } catch (error) {
    throw convert(error);
  }
}
