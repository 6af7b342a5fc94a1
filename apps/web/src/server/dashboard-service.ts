import { Dashboard, ListProjectsResponseSchema, ProjectSchema } from "@binnacle/proto/dashboard";
import { Fault } from "@binnacle/rpc";
import { toConnectError } from "@binnacle/rpc/connect-error";
import { create } from "@bufbuild/protobuf";
import { ConnectError, type ConnectRouter, type HandlerContext, type Interceptor, type ServiceImpl } from "@connectrpc/connect";

import type { BffContext } from "./bff-context.ts";
import type { CallKind, CallLimits } from "./wire/call-limits.ts";
import { previewAction } from "./actions/preview-action.ts";
import { reviewActions } from "./actions/review-actions.ts";
import { runAction } from "./actions/run-action.ts";
import { askGitops } from "./delivery/ask-gitops.ts";
import { reviewGitops } from "./delivery/review-gitops.ts";
import type { CallMetrics } from "./metrics/call-metrics.ts";
import { createConnectHandler, type NodeHandler } from "./wire/connect-handler.ts";
import { createInProcessHandler, type InProcessHandler } from "./wire/in-process-handler.ts";
import { openTerminal } from "./terminal/open-terminal.ts";
import type { TerminalTickets } from "./terminal/terminal-tickets.ts";
import { getMetrics } from "./workload-metrics/get-metrics.ts";
import { countCalls } from "./metrics/count-calls.ts";
import { compareResource } from "./manifest/compare-resource.ts";
import { queryProjects } from "./view/environment-query.ts";
import { toViewer } from "./view/environment-messages.ts";
import { NOTE_BLOCK } from "./wire/outgoing-blocks.ts";
import { listHeldResources } from "./projects/list-held-resources.ts";
import { listNodePods } from "./projects/list-node-pods.ts";
import { summarizeProjects } from "./projects/summarize-projects.ts";
import { getResource } from "./resource/resource-detail.ts";
import { sessionEnded } from "./session/session-ended.ts";
import type { CollectAfterLoad } from "./collect-after-load.ts";
import type { SessionStreams } from "./session/session-streams.ts";
import type { ViewerAccess } from "./session/viewer-access.ts";
import { summarizeEnvironment } from "./view/summarize-environment.ts";
import type { CallSession } from "./session/web-sessions.ts";
import { positionOf, watchEnvironment } from "./view/watch-environment.ts";
import { watchEnvironments } from "./index/watch-environments.ts";
import { watchTopics } from "./view/watch-topics.ts";

/** What the service works with. */
export interface DashboardServiceOptions {
  readonly context: BffContext;
  /** The way of a request to its viewer's data, from its cookies; `undefined` without a session. */
  readonly session: (headers: Headers, identified: (username: string) => void) => Promise<CallSession | undefined>;
  /** Names the session of a request; `undefined` without one. */
  readonly sessionName: (cookieHeader: string | undefined) => Promise<string | undefined>;
  readonly tickets: Pick<TerminalTickets, "seal">;
  readonly limits: CallLimits;
  readonly streams: SessionStreams;
  /** Counts the streams that are open. */
  readonly load: Pick<CollectAfterLoad, "begin">;
  /** Ends every stream, so that browsers come back, perhaps to another process; what ends by itself goes on. */
  readonly draining: AbortSignal;
  /** Ends everything. */
  readonly shutdown: AbortSignal;
  /** Path below which procedures are served, "/api/rpc". */
  readonly prefix: string;
  /** What browsers call this server, "host:port". */
  readonly authority: string;
  /** Absent: nothing is counted. */
  readonly metrics?: CallMetrics | undefined;
}

/** `dashboard.v1.Dashboard` for POST. Unknown procedures are 404. */
export function createDashboardHandler(options: DashboardServiceOptions): NodeHandler {
  const { authority, metrics } = options;
  return createConnectHandler({ ...servedBy(options), authority, ...(metrics ? { counted: metrics.streamBytes } : {}) });
}

/** The same service for pages of this process: the same authentication, limits and counters as for calls from outside. */
export function createInProcessDashboard(options: DashboardServiceOptions): InProcessHandler {
  return createInProcessHandler(servedBy(options));
}

function servedBy(options: DashboardServiceOptions) {
  const { context, shutdown, prefix, metrics } = options;
  return {
    prefix,
    readMaxBytes: 64 * 1024,
    shutdownSignal: shutdown,
    interceptors: [...(metrics ? [countCalls(metrics)] : []), convertErrors(context)],
    routes: (router: ConnectRouter) => void router.service(Dashboard, createDashboardService(options)),
  };
}

function createDashboardService(options: DashboardServiceOptions): ServiceImpl<typeof Dashboard> {
  const { context } = options;
  return {
    listProjects: (_request, call) =>
      within(options, call, async ({ viewerAccess, signal }) => {
        if (!viewerAccess) throw sessionEnded();
        const { viewer, projects } = await queryProjects(viewerAccess, signal);
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
    previewAction: (request, call) =>
      within(options, call, ({ viewerAccess, signal }) => previewAction(context, { viewerAccess, request, signal })),
    act: (request, call) => changing(options, call, ({ viewerAccess, signal }) => runAction(context, { viewerAccess, request, signal })),
    openTerminal: (request, call) =>
      changing(options, call, async ({ viewerAccess, signal }) => {
        const session = await options.sessionName(call.requestHeader.get("cookie") ?? undefined);
        return openTerminal(context, options.tickets, { viewerAccess, session, request, signal });
      }),
  };
}

/** What a call may use while it runs. */
interface RunningCall {
  readonly viewerAccess: ViewerAccess | undefined;
  /** Aborts when the caller leaves and when the viewer signs out. */
  readonly signal: AbortSignal;
}

type CallGate = Pick<DashboardServiceOptions, "session" | "limits" | "streams" | "load" | "draining">;

/** Answers one call within the limits of its session and viewer. @throws Fault `rate_limited`; `session_ended` after a sign-out */
async function within<T>(gate: CallGate, call: HandlerContext, work: (running: RunningCall) => Promise<T>): Promise<T> {
  const entry = await enter(gate, call, "call");
  try {
    return await work(entry.running);
  } catch (error) {
    throw entry.signedOut() ? sessionEnded() : error;
  } finally {
    entry.leave();
  }
}

/** Like `within`, for a call that changes a cluster. @throws Fault `environment_forbidden` for a cookie without an Origin: no page of ours sends that */
async function changing<T>(gate: CallGate, call: HandlerContext, work: (running: RunningCall) => Promise<T>): Promise<T> {
  if (call.requestHeader.has("cookie") && !call.requestHeader.has("origin"))
    throw new Fault("environment_forbidden", "A call that changes something needs the Origin header beside the session cookie.");
  return within(gate, call, work);
}

/** Like `within`, for a stream. */
async function* streamWithin<T>(gate: CallGate, call: HandlerContext, open: (running: RunningCall) => AsyncIterable<T>): AsyncIterable<T> {
  const entry = await enter(gate, call, "stream");
  const ended = gate.load.begin();
  try {
    yield* open({ ...entry.running, signal: AbortSignal.any([entry.running.signal, gate.draining]) });
    if (entry.signedOut()) throw sessionEnded();
    if (gate.draining.aborted) throw new Fault("shutting_down", "the dashboard is being restarted");
  } finally {
    ended();
    entry.leave();
  }
}

async function enter(
  { session, limits, streams }: CallGate,
  { requestHeader, signal }: HandlerContext,
  kind: CallKind,
): Promise<{ readonly running: RunningCall; readonly signedOut: () => boolean; readonly leave: () => void }> {
  const place = limits.begin(kind);
  const found = await session(requestHeader, (username) => place.take("viewer", username));
  // Without a session there is nothing to hold: the call is answered at once.
  if (!found) return { running: { viewerAccess: undefined, signal }, signedOut: () => false, leave: () => undefined };
  place.take("session", found.viewerAccess.key);
  const tie = found.tokenSession && streams.tie(found.tokenSession);
  return {
    running: { viewerAccess: found.viewerAccess, signal: tie ? AbortSignal.any([signal, tie.signal]) : signal },
    signedOut: () => tie?.signal.aborted === true,
    leave: () => {
      tie?.untie();
      place.leave();
    },
  };
}

/** Faults become their codes; bugs are logged here, once, and travel as "internal". */
function convertErrors(context: BffContext): Interceptor {
  const convert = (error: unknown, method: string): ConnectError => {
    if (!(error instanceof Fault) && !(error instanceof ConnectError)) context.log.error({ error, method }, "a call failed");
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
