import { Dashboard, ListProjectsResponseSchema, ProjectSchema } from "@binnacle/proto/dashboard";
import { Fault, toConnectError } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";
import { ConnectError, createConnectRouter, type HandlerContext, type Interceptor } from "@connectrpc/connect";
import { createFetchHandler } from "@connectrpc/connect/protocol";

import type { BffContext } from "./bff-context.ts";
import { queryProjects } from "./environment-query.ts";
import { toViewer } from "./environment-messages.ts";
import { getResource } from "./resource-detail.ts";
import { sessionEnded } from "./session-ended.ts";
import type { ViewerAccess } from "./viewer-access.ts";
import { watchEnvironment } from "./watch-environment.ts";
import { watchEnvironments } from "./watch-environments.ts";

/** What the service works with. */
export interface DashboardServiceOptions {
  readonly context: BffContext;
  /** The viewer of a request, from its cookies; `undefined` without a session. */
  readonly viewerAccess: (headers: Headers) => ViewerAccess | undefined;
  /** Ends every stream. */
  readonly shutdown: AbortSignal;
  /** Path below which procedures are served, "/api/rpc". */
  readonly prefix: string;
}

/** `dashboard.v1.Dashboard` as a fetch handler for POST. Unknown procedures are 404. */
export function createDashboardHandler(options: DashboardServiceOptions): (request: Request) => Promise<Response> {
  const { context, viewerAccess, shutdown, prefix } = options;
  const accessOf = (call: HandlerContext): ViewerAccess | undefined => viewerAccess(call.requestHeader);
  const router = createConnectRouter({
    grpc: false,
    grpcWeb: false,
    readMaxBytes: 64 * 1024,
    shutdownSignal: shutdown,
    interceptors: [convertErrors(context)],
  });
  router.service(Dashboard, {
    async listProjects(_request, call) {
      const access = accessOf(call);
      if (!access) throw sessionEnded();
      const { viewer, projects } = await queryProjects(access, call.signal);
      return create(ListProjectsResponseSchema, {
        projects: projects.map((project) => create(ProjectSchema, project)),
        viewer: toViewer(viewer, undefined),
      });
    },
    watchEnvironments: (request, call) =>
      watchEnvironments(context, { viewerAccess: accessOf(call), projectPath: request.projectPath }, call.signal),
    watchEnvironment: (request, call) =>
      watchEnvironment(
        context,
        { viewerAccess: accessOf(call), names: { projectPath: request.projectPath, environment: request.environment } },
        call.signal,
      ),
    getResource: (request, call) => getResource(context, { viewerAccess: accessOf(call), request }, call.signal),
  });
  const handlers = new Map(router.handlers.map((handler) => [`${prefix}${handler.requestPath}`, createFetchHandler(handler)]));
  return async (request) => {
    const handler = handlers.get(new URL(request.url).pathname);
    return handler ? handler(request) : new Response(null, { status: 404 });
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
