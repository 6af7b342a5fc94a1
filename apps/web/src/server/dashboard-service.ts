import { Dashboard, ListProjectsResponseSchema, ProjectSchema } from "@binnacle/proto/dashboard";
import { Fault, toConnectError } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";
import { ConnectError, createConnectRouter, type HandlerContext, type Interceptor } from "@connectrpc/connect";
import { createFetchHandler } from "@connectrpc/connect/protocol";

import type { BffContext } from "./bff-context.ts";
import type { CallKind, CallLimits } from "./call-limits.ts";
import { queryProjects } from "./environment-query.ts";
import { toViewer } from "./environment-messages.ts";
import { getResource } from "./resource-detail.ts";
import { sessionEnded } from "./session-ended.ts";
import type { SessionStreams } from "./session-streams.ts";
import type { ViewerAccess } from "./viewer-access.ts";
import { watchEnvironment } from "./watch-environment.ts";
import { watchEnvironments } from "./watch-environments.ts";

/** Whose call it is. */
interface CallSession {
  readonly viewerAccess: ViewerAccess;
  /** The session that signing out ends; `undefined` when it is the main application's. */
  readonly id: string | undefined;
}

/** What the service works with. */
export interface DashboardServiceOptions {
  readonly context: BffContext;
  /** The way of a request to its viewer's data, from its cookies; `undefined` without a session. */
  readonly session: (headers: Headers, identified: (username: string) => void) => CallSession | undefined;
  readonly limits: CallLimits;
  readonly streams: SessionStreams;
  /** Ends every stream, so that browsers come back, perhaps to another process; what ends by itself goes on. */
  readonly draining: AbortSignal;
  /** Ends everything. */
  readonly shutdown: AbortSignal;
  /** Path below which procedures are served, "/api/rpc". */
  readonly prefix: string;
}

/** `dashboard.v1.Dashboard` as a fetch handler for POST. Unknown procedures are 404. */
export function createDashboardHandler(options: DashboardServiceOptions): (request: Request) => Promise<Response> {
  const { context, shutdown, prefix } = options;
  const router = createConnectRouter({
    grpc: false,
    grpcWeb: false,
    readMaxBytes: 64 * 1024,
    shutdownSignal: shutdown,
    interceptors: [convertErrors(context)],
  });
  router.service(Dashboard, {
    listProjects: (_request, call) =>
      within(options, call, async ({ viewerAccess, signal }) => {
        if (!viewerAccess) throw sessionEnded();
        const { viewer, projects } = await queryProjects(viewerAccess, signal);
        return create(ListProjectsResponseSchema, {
          projects: projects.map((project) => create(ProjectSchema, project)),
          viewer: toViewer(viewer, undefined),
        });
      }),
    watchEnvironments: ({ projectPath }, call) =>
      streamWithin(options, call, ({ viewerAccess, signal }) => watchEnvironments(context, { viewerAccess, projectPath }, signal)),
    watchEnvironment: (names, call) =>
      streamWithin(options, call, ({ viewerAccess, signal }) => watchEnvironment(context, { viewerAccess, names }, signal)),
    getResource: (request, call) =>
      within(options, call, ({ viewerAccess, signal }) => getResource(context, { viewerAccess, request }, signal)),
  });
  const handlers = new Map(router.handlers.map((handler) => [`${prefix}${handler.requestPath}`, createFetchHandler(handler)]));
  return async (request) => {
    const handler = handlers.get(new URL(request.url).pathname);
    return handler ? handler(request) : new Response(null, { status: 404 });
  };
}

/** What a call may use while it runs. */
interface RunningCall {
  readonly viewerAccess: ViewerAccess | undefined;
  /** Aborts when the caller leaves and when the viewer signs out. */
  readonly signal: AbortSignal;
}

type CallGate = Pick<DashboardServiceOptions, "session" | "limits" | "streams" | "draining">;

/** Answers one call within the limits of its session and viewer. @throws Fault `rate_limited`; `session_ended` after a sign-out */
async function within<T>(gate: CallGate, call: HandlerContext, work: (running: RunningCall) => Promise<T>): Promise<T> {
  const entry = enter(gate, call, "call");
  try {
    return await work(entry.running);
  } catch (error) {
    throw entry.signedOut() ? sessionEnded() : error;
  } finally {
    entry.leave();
  }
}

/** Like `within`, for a stream. */
async function* streamWithin<T>(gate: CallGate, call: HandlerContext, open: (running: RunningCall) => AsyncIterable<T>): AsyncIterable<T> {
  const entry = enter(gate, call, "stream");
  try {
    yield* open({ ...entry.running, signal: AbortSignal.any([entry.running.signal, gate.draining]) });
    if (entry.signedOut()) throw sessionEnded();
    if (gate.draining.aborted) throw new Fault("shutting_down", "the dashboard is being restarted");
  } finally {
    entry.leave();
  }
}

function enter(
  { session, limits, streams }: CallGate,
  { requestHeader, signal }: HandlerContext,
  kind: CallKind,
): { readonly running: RunningCall; readonly signedOut: () => boolean; readonly leave: () => void } {
  const place = limits.begin(kind);
  const found = session(requestHeader, (username) => place.take("viewer", username));
  // Without a session there is nothing to hold: the call is answered at once.
  if (!found) return { running: { viewerAccess: undefined, signal }, signedOut: () => false, leave: () => undefined };
  place.take("session", found.viewerAccess.key);
  const tie = found.id === undefined ? undefined : streams.tie(found.id);
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
