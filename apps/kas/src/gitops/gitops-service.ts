import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import type { ByteLedger, LedgerOwner } from "@binnacle/grpc-wire";
import { Gitops, type ObjectsToSynchronizeRequest, type ObjectsToSynchronizeResponse } from "@binnacle/proto/gitops";
import { GitopsSourceProblem } from "@binnacle/proto/kas-gitops";
import { Fault, type Clock } from "@binnacle/rpc";
import { toConnectError } from "@binnacle/rpc/connect-error";

import { authenticateAgain, drainingOfCall, resetCall } from "../agent-identity/agent-context.ts";
import { CLIENT_ADDRESS_HEADER } from "../http2-listener/client-address-header.ts";
import type { MinuteCounter } from "../limits/minute-counter.ts";
import type { AgentTokens } from "../main-application/agent-info.ts";
import type { ProjectReader } from "../main-application/project-info-lookup.ts";
import { agentOf } from "../agent-identity/authenticated-agent.ts";
import { RefusedCommit, streamManifests, type ManifestStreamOptions } from "./manifest-stream.ts";
import type { SyncStore } from "./sync-store.ts";

/** Trailer of a refusal: the commit that was refused. An agent of ours asks with it, and waits until there is another one. */
const REFUSED_COMMIT_HEADER = "binnacle-refused-commit";

/** What the service needs. */
export interface GitopsServiceOptions extends ManifestStreamOptions {
  readonly authenticator: AgentTokens;
  readonly projects: ProjectReader;
  readonly ledger: ByteLedger;
  readonly counter: MinuteCounter;
  readonly syncs: Pick<SyncStore, "reportProblem" | "reportProblemOfAll">;
  /** Streams that may be begun in a minute: by one agent, and by all agents at all kas. */
  readonly streams: { readonly perAgent: number; readonly inAll: number };
}

/** When a reader stalls, and what happens then. */
interface StallGuardOptions {
  readonly clock: Clock;
  /** Whether others need what this reader holds. */
  readonly isShort: () => boolean;
  /** Ends the stream from outside: the generator stands still at its `yield`. */
  readonly onStall: () => void;
}

/** docs/design/limits.md "Silence": a reader that stalls. */
const SHORT_STALL_MS = 60_000;
const LONGEST_STALL_MS = 600_000;

/** Manifests for agents. Its handler needs `agentContextOf`. */
export function gitopsService(options: GitopsServiceOptions): (router: ConnectRouter) => void {
  // Between two streams there is no call that could report it, and an agent without a valid token sends no reports.
  options.authenticator.onWithdrawn(({ agentId }) => options.syncs.reportProblemOfAll(agentId, GitopsSourceProblem.UNREADABLE));
  return (router) => {
    router.service(Gitops, {
      async *getObjectsToSynchronize(request, context) {
        options.metrics.streams(1);
        try {
          yield* serve(request, context, options);
        } catch (error) {
          if (!(error instanceof Fault)) options.log.error({ error }, "streaming manifests failed");
          const answer = toConnectError(error);
          if (error instanceof RefusedCommit) answer.metadata.set(REFUSED_COMMIT_HEADER, error.commitId);
          throw answer;
        } finally {
          options.metrics.streams(-1);
        }
      },
    });
  };
}

async function* serve(
  request: ObjectsToSynchronizeRequest,
  context: HandlerContext,
  options: GitopsServiceOptions,
): AsyncGenerator<ObjectsToSynchronizeResponse, void> {
  const { agentId } = agentOf(context);
  await admit(String(agentId), options);
  const owner: LedgerOwner = { kind: "agent", id: String(agentId) };
  const cut = new AbortController();
  const account = options.ledger.open(owner, (fault) => {
    cut.abort(fault);
    resetCall(context);
  });
  // When a client cancels while a message is being sent, the generator is suspended and cannot release the account.
  context.signal.addEventListener("abort", () => account.close(), { once: true });
  const authorization = context.requestHeader.get("authorization") ?? "";
  const subject = {
    request,
    signal: AbortSignal.any([context.signal, cut.signal]),
    draining: drainingOfCall(context),
    account,
    source: (problem: GitopsSourceProblem) => options.syncs.reportProblem(agentId, request.projectId, problem),
    authorize: async () => ({
      agent: await authenticateAgain(options.authenticator, context),
      project: await options.projects.project({
        authorization,
        address: context.requestHeader.get(CLIENT_ADDRESS_HEADER) ?? undefined,
        project: request.projectId,
        signal: context.signal,
      }),
    }),
  };
  try {
    yield* withoutStalls(streamManifests(subject, options), {
      clock: options.clock,
      isShort: () => options.ledger.isShort(owner),
      onStall: () => {
        options.log.warn({ agent_id: owner.id }, "an agent that does not read its manifests was cut");
        resetCall(context);
      },
    });
  } finally {
    account.close();
  }
}

/** @throws Fault `rate_limited` */
async function admit(agentId: string, { counter, streams, clock }: GitopsServiceOptions): Promise<void> {
  const [own, all] = await Promise.all([counter.add(`gitops agent ${agentId}`), counter.add("gitops")]);
  if (own <= streams.perAgent && all <= streams.inAll) return;
  const whose = own > streams.perAgent ? `this agent, ${streams.perAgent}` : `all agents, ${streams.inAll}`;
  const retryAfterSeconds = 60 - Math.floor((clock.now() / 1_000) % 60);
  throw new Fault("rate_limited", `too many waits for manifests were begun in this minute by ${whose}`, { retryAfterSeconds });
}

/** The messages as they come; a reader that does not take one is cut after a minute if bytes are short, else after ten. */
export async function* withoutStalls<T>(messages: AsyncGenerator<T, void>, options: StallGuardOptions): AsyncGenerator<T, void> {
  for await (const message of messages) {
    const cancel = guard(options);
    try {
      yield message;
    } finally {
      cancel();
    }
  }
}

function guard({ clock, isShort, onStall }: StallGuardOptions): () => void {
  let waitedMs = 0;
  let cancel = (): void => undefined;
  const wait = (): void => {
    cancel = clock.after(SHORT_STALL_MS, () => {
      waitedMs += SHORT_STALL_MS;
      if (waitedMs >= LONGEST_STALL_MS || isShort()) onStall();
      else wait();
    });
  };
  wait();
  return () => cancel();
}
