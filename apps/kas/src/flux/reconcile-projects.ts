import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { GitLabFlux, type ReconcileProjectsRequest } from "@binnacle/proto/flux";
import { Fault, sleep, type Clock } from "@binnacle/rpc";
import { toConnectError } from "@binnacle/rpc/connect-error";
import type { Logger } from "@binnacle/telemetry";

import { authenticateAgain, drainingOfCall } from "../agent-identity/agent-context.ts";
import type { PushNotices } from "../gitaly/push-notices.ts";
import { CLIENT_ADDRESS_HEADER } from "../http2-listener/client-address-header.ts";
import type { AgentAuthenticator } from "../main-application/agent-info.ts";
import type { ProjectReader } from "../main-application/project-info-lookup.ts";
import { agentOf } from "../agent-identity/authenticated-agent.ts";

/** What the service needs. */
export interface ReconcileProjectsOptions {
  readonly authenticator: AgentAuthenticator;
  readonly projects: ProjectReader;
  readonly pushes: Pick<PushNotices, "onPush">;
  readonly clock: Clock;
  readonly log: Logger;
  /** A stream ends after this; the agent begins another. */
  readonly maxAgeMs: number;
}

/** Streams of one agent: each replica has one, and another while they change. */
const MAX_STREAMS = 10;
const MAX_PROJECTS = 1_000;
const MAX_ID = 1_024;

/**
 * Notifies agents with Flux of pushes: the project of a push is sent to agents that requested it and may read it. Flux's own interval compensates
 * for a lost push, and pushes that come while one is on its way are one. Its handler needs `agentContextOf`.
 */
export function reconcileProjects(options: ReconcileProjectsOptions): (router: ConnectRouter) => void {
  const streams = new Map<bigint, number>();
  return (router) => {
    router.service(GitLabFlux, {
      async *reconcileProjects(request, context) {
        try {
          const { agentId } = agentOf(context);
          const open = streams.get(agentId) ?? 0;
          if (open >= MAX_STREAMS)
            throw new Fault("queue_full", `an agent has ${MAX_STREAMS} such streams at most`, { retryAfterSeconds: 60 });
          const ids = idsOf(request);
          streams.set(agentId, open + 1);
          try {
            for await (const id of pushed(ids, context, options)) yield { project: { id } };
          } finally {
            const left = (streams.get(agentId) ?? 1) - 1;
            if (left === 0) streams.delete(agentId);
            else streams.set(agentId, left);
          }
        } catch (error) {
          if (!(error instanceof Fault)) options.log.error({ error }, "telling an agent of pushes failed");
          throw toConnectError(error);
        }
      },
    });
  };
}

/** @throws Fault `invalid_request` */
function idsOf({ project }: ReconcileProjectsRequest): ReadonlySet<string> {
  if (project.length > MAX_PROJECTS) throw new Fault("invalid_request", `at most ${MAX_PROJECTS} projects can be requested`);
  if (project.some(({ id }) => id === "" || id.length > MAX_ID))
    throw new Fault("invalid_request", "a project has no id, or one that is too long");
  return new Set(project.map(({ id }) => id));
}

async function* pushed(ids: ReadonlySet<string>, context: HandlerContext, options: ReconcileProjectsOptions): AsyncGenerator<string> {
  const { pushes, clock, maxAgeMs, authenticator } = options;
  const ended = AbortSignal.any([context.signal, drainingOfCall(context)]);
  const waiting = new Set<string>();
  let wake = (): void => undefined;
  const stops = [...ids].map((id) =>
    pushes.onPush(id, () => {
      waiting.add(id);
      wake();
    }),
  );
  const endsAtMs = clock.now() + maxAgeMs;
  try {
    while (!ended.aborted) {
      for (const id of waiting) {
        waiting.delete(id);
        await authenticateAgain(authenticator, context);
        if (await mayRead(id, context, options)) yield id;
        if (ended.aborted) return;
      }
      const leftMs = endsAtMs - clock.now();
      if (leftMs <= 0) return;
      const stop = new AbortController();
      wake = () => stop.abort();
      if (waiting.size === 0) await sleep(clock, leftMs, AbortSignal.any([ended, stop.signal]));
    }
  } finally {
    for (const stop of stops) stop();
  }
}

/** Whether the agent may know of the project: one that may not is not notified, as if there had been no push. */
async function mayRead(
  project: string,
  { requestHeader, signal }: HandlerContext,
  { projects, log }: ReconcileProjectsOptions,
): Promise<boolean> {
  const authorization = requestHeader.get("authorization") ?? "";
  const address = requestHeader.get(CLIENT_ADDRESS_HEADER) ?? undefined;
  try {
    await projects.project({ authorization, address, project, signal });
    return true;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.reason !== "not_found" && error.reason !== "agent_forbidden")
      log.info({ reason: error.reason }, "a push was not passed on to Flux");
    return false;
  }
}
