import { KubeClientError } from "@binnacle/environment-view";
import { ProblemKind, WatchEnvironmentResponseSchema, type Problem, type WatchEnvironmentResponse } from "@binnacle/proto/dashboard";
import { Backoff, Fault, sleep, type Clock } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";

import { Bell } from "./bell.ts";
import { environmentPath } from "../features/environments/route-path.ts";
import { hasAgent, openKasAccess, type BffContext } from "./bff-context.ts";
import { reviewIdentity, type ClusterIdentity } from "./cluster-identity.ts";
import { EnvironmentMessages } from "./environment-messages.ts";
import { queryEnvironment } from "./environment-query.ts";
import { noAgent, problemOf, unauthenticated } from "./problem.ts";
import { keepProven, whyRefused, type ProofOutcome, type Subscriber } from "./subscriber-proof.ts";
import type { ViewerAccess } from "./viewer-access.ts";

/** The contract says at most 15 s. */
const HEARTBEAT_MS = 10_000;

/** Which environment. */
export interface EnvironmentNames {
  readonly projectPath: string;
  readonly environment: string;
}

/** One viewer's live environment: a snapshot, deltas, heartbeats; a problem ends it unless the problem may pass. */
export async function* watchEnvironment(
  context: BffContext,
  request: { readonly viewerAccess: ViewerAccess | undefined; readonly names: EnvironmentNames },
  signal: AbortSignal,
): AsyncGenerator<WatchEnvironmentResponse> {
  const backoff = new Backoff({ initialMs: 1_000, maxMs: 10_000 });
  while (!signal.aborted) {
    const problem = yield* watchOnce(context, request, signal);
    if (signal.aborted) return;
    if (!problem) continue;
    yield create(WatchEnvironmentResponseSchema, {
      sentAt: timestampFromMs(context.clock.now()),
      message: { case: "problem", value: problem },
    });
    if (problem.kind !== ProblemKind.UNAVAILABLE) return;
    await sleep(context.clock, backoff.nextMs(), signal);
  }
}

/** @returns the problem it ended with; `undefined` when the viewer left or must be looked up again */
async function* watchOnce(
  context: BffContext,
  { viewerAccess, names }: { readonly viewerAccess: ViewerAccess | undefined; readonly names: EnvironmentNames },
  signal: AbortSignal,
): AsyncGenerator<WatchEnvironmentResponse, Problem | undefined> {
  const returnPath = environmentPath(names.projectPath, names.environment);
  if (!viewerAccess) return unauthenticated(context.signInUrl(returnPath));
  try {
    const { viewer, environment } = await queryEnvironment(viewerAccess, names, signal);
    if (!hasAgent(environment)) return noAgent(environment);
    const access = openKasAccess(context, viewerAccess, environment);
    const subscriber = { viewer, viewerAccess, environment, access, returnPath };
    const identified = yield* identify(context, subscriber, signal);
    if (!identified || "problem" in identified) return identified?.problem;
    const outcome = yield* streamView(context, { ...subscriber, identity: identified.identity }, signal);
    return outcome?.kind === "problem" ? outcome.problem : undefined;
  } catch (error) {
    if (signal.aborted || (error instanceof Fault && error.reason === "cancelled")) return undefined;
    return problemOf(error, context.signInUrl(returnPath));
  }
}

/** Asks the cluster who the viewer is; while nobody answers, the viewer sees that the agent is away. */
async function* identify(
  context: BffContext,
  subscriber: Subscriber,
  signal: AbortSignal,
): AsyncGenerator<WatchEnvironmentResponse, { identity: ClusterIdentity | undefined } | { problem: Problem } | undefined> {
  const { clock, wording } = context;
  const messages = new EnvironmentMessages({ ...subscriber, identity: undefined, wording }, () => clock.now());
  const backoff = new Backoff({ initialMs: 250, maxMs: 3_000 });
  const sinceMs = clock.now();
  let offline = false;
  while (!signal.aborted) {
    const work = reviewIdentity(subscriber.access.client, signal).then(
      (identity) => ({ identity }),
      (error: unknown) => ({ error }),
    );
    const patienceMs = offline ? HEARTBEAT_MS : 2_000;
    while (!(await settlesWithin(work, patienceMs, clock))) {
      yield offline ? messages.heartbeat() : messages.waiting({ offline, sinceMs, message: "" });
    }
    const result = await work;
    if (!("error" in result)) return result;
    if (!(result.error instanceof KubeClientError)) throw result.error;
    if (result.error.failure === "unauthorized") {
      const problem = await whyRefused(context, subscriber, signal);
      if (problem) return { problem };
    }
    offline ||= result.error.failure === "agent_offline";
    yield messages.waiting({ offline, sinceMs, message: result.error.message });
    await sleep(clock, backoff.nextMs(), signal);
  }
  return undefined;
}

async function* streamView(
  context: BffContext,
  subscriber: Subscriber & { readonly identity: ClusterIdentity | undefined },
  signal: AbortSignal,
): AsyncGenerator<WatchEnvironmentResponse, ProofOutcome | undefined> {
  const { clock, registry, wording } = context;
  const { access, identity, environment } = subscriber;
  const messages = new EnvironmentMessages({ ...subscriber, wording }, () => clock.now());
  const bell = new Bell();
  const ended = new AbortController();
  const membership = registry.join(access, identity, environment.namespace);
  const subscription = membership.view.open(bell.ring);
  signal.addEventListener("abort", bell.ring, { once: true });
  const proof: { outcome?: ProofOutcome; error?: unknown } = {};
  const proving = keepProven(context, subscriber, AbortSignal.any([signal, ended.signal]))
    .then((outcome) => outcome && (proof.outcome = outcome))
    .catch((error: unknown) => (proof.error = error))
    .finally(bell.ring);
  try {
    for (;;) {
      const cancelHeartbeat = clock.after(HEARTBEAT_MS, bell.ring);
      await bell.wait();
      cancelHeartbeat();
      if (signal.aborted) return undefined;
      if (proof.error !== undefined) throw proof.error;
      if (proof.outcome) return proof.outcome;
      const message = subscription.take();
      const configuration = membership.configurationProblem();
      yield message ? messages.of(message, configuration) : (messages.configurationChange(configuration) ?? messages.heartbeat());
    }
  } finally {
    if (proof.outcome) membership.refuse();
    signal.removeEventListener("abort", bell.ring);
    subscription.close();
    membership.leave();
    ended.abort();
    await proving;
  }
}

/** Whether `work` settles before `delayMs` have passed. */
function settlesWithin(work: Promise<unknown>, delayMs: number, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(delayMs, () => resolve(false));
    const settled = (): void => {
      cancel();
      resolve(true);
    };
    work.then(settled, settled);
  });
}
