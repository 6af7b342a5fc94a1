import { KubeClientError, type ViewScope } from "@binnacle/environment-view";
import { ProblemKind, type Problem } from "@binnacle/proto/dashboard";
import { Backoff, Fault, settlesWithin, sleep, type Clock } from "@binnacle/rpc";

import { environmentPath } from "../../features/address/route-path.ts";
import { hasAgent, openKasAccess, type KasAccessContext } from "../environment/connected-environment.ts";
import { noAgent, noClusterToken, problemOf, unauthenticated } from "../environment/problem.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { lookUpEnvironment, type LookUpContext } from "../environment/look-up-environment.ts";
import { reviewIdentity, type ClusterIdentity } from "../kas/cluster-identity.ts";
import { tenantOf } from "../kas/tenant.ts";
import { awayAs, connectionMeanwhile, isLetThrough, type AbsencesContext } from "../kas/way-behind-kas.ts";
import type { KnownConnection } from "../wire/to-proto.ts";
import { scopeOf } from "../main-application/scope-of.ts";
import { whyRefused, type ProofOutcome, type Subscriber, type ProofContext } from "../environment/recheck-subscriber.ts";
import type { IdentitiesContext } from "../kas/proved-identities.ts";

/** What viewers of an environment are proved with. */
export interface ProvenStreamContext extends LookUpContext, KasAccessContext, ProofContext, AbsencesContext, IdentitiesContext {
  /** Address of our own sign-in page that leads back to a path of the dashboard. */
  readonly signInPageUrl?: (returnPath: string) => string;
}

/** The contract says at most 15 s. */
export const HEARTBEAT_MS = 10_000;
/** Time before the page is notified that there is no answer. */
const PATIENCE_MS = 2_000;

/** Which environment. */
export interface EnvironmentNames {
  readonly projectPath: string;
  readonly environment: string;
}

/** A subscriber, and the identity that the cluster has just reported. */
export type ProvenSubscriber = Subscriber & { readonly identity: ClusterIdentity | undefined };

/** Messages while the viewer's identity at the cluster is not known. */
export interface Waiting<T> {
  /** Sent at first. */
  begin(): readonly T[];
  /** The stream is alive. */
  heartbeat(): T;
  /** How the way is. */
  away(connection: KnownConnection): T;
  /** What is known besides by now, whatever the cluster does. */
  news?(): readonly T[];
  /** The viewer may not use the agent: sent before the problem that says so. */
  denied?(): readonly T[];
  /** While the cluster does not answer a viewer whom kas has just let through, instead of how the way is: what may be shown meanwhile. */
  meanwhile?(connection: KnownConnection): Promise<readonly T[] | undefined>;
}

/** What is streamed to one viewer of an environment, and how. */
export interface AuthorizedStream<T> {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly names: EnvironmentNames;
  readonly waiting: (subscriber: Subscriber) => Waiting<T>;
  /** A problem as a message. */
  readonly toMessage: (problem: Problem) => T;
  /** Hears as whom the cluster has just proved the viewer. */
  readonly proved?: ((tenant: string, scope: ViewScope) => void) | undefined;
  /** What he is streamed from then on; it returns how his place has ended, `undefined` to begin again. */
  readonly stream: (subscriber: ProvenSubscriber, signal: AbortSignal) => AsyncGenerator<T, ProofOutcome | undefined>;
}

/** One viewer's stream: he is looked up and proved before anything is shown. A problem ends it unless the problem may pass. */
export function watchProven<T>(context: ProvenStreamContext, options: AuthorizedStream<T>, signal: AbortSignal): AsyncGenerator<T> {
  const once = (began: () => void): AsyncGenerator<T, Problem | undefined> => watchOnce(context, { ...options, began }, signal);
  return retryStream({ once, toMessage: options.toMessage, clock: context.clock }, signal);
}

/** @returns the problem it ended with; `undefined` when the viewer left or must be looked up again */
async function* watchOnce<T>(
  context: ProvenStreamContext,
  options: AuthorizedStream<T> & {
    /** The cluster has answered: earlier failures count no more. */
    readonly began: () => void;
  },
  signal: AbortSignal,
): AsyncGenerator<T, Problem | undefined> {
  const { viewerAccess, names, began } = options;
  const returnPath = environmentPath(names.projectPath, names.environment);
  if (!viewerAccess) return unauthenticated(context.signInUrl(returnPath));
  try {
    const { viewer, environment } = await lookUpEnvironment(context, viewerAccess, { ...names, signal });
    if (!hasAgent(environment)) return noAgent(environment);
    if (viewerAccess.needsClusterToken === true) return noClusterToken(context.signInPageUrl?.(returnPath) ?? "");
    const access = openKasAccess(context, viewerAccess, environment);
    const subscriber = { viewer, viewerAccess, environment, access, returnPath };
    const identified = yield* identify(context, { subscriber, waiting: options.waiting(subscriber) }, signal);
    if (!identified || "problem" in identified) {
      if (identified) context.pictures.identities.forget(viewer.username, access);
      return identified?.problem;
    }
    began();
    context.pictures.identities.prove(viewer.username, access, identified.identity);
    options.proved?.(tenantOf(access, identified.identity), scopeOf(environment));
    // A session that has ended meanwhile brings no credential along.
    if (signal.aborted) return undefined;
    const outcome = yield* options.stream({ ...subscriber, identity: identified.identity }, signal);
    // A viewer who is rejected, or has another identity, has no last snapshot.
    if (outcome) context.pictures.identities.forget(viewer.username, access);
    return outcome?.kind === "problem" ? outcome.problem : undefined;
  } catch (error) {
    if (signal.aborted || (error instanceof Fault && error.reason === "cancelled")) return undefined;
    return problemOf(error, context.signInUrl(returnPath));
  }
}

/** Requests the viewer's identity from the cluster; while there is no answer, the viewer sees that the agent is unavailable. */
async function* identify<T>(
  context: ProvenStreamContext,
  { subscriber, waiting }: { readonly subscriber: Subscriber; readonly waiting: Waiting<T> },
  signal: AbortSignal,
): AsyncGenerator<T, { identity: ClusterIdentity | undefined } | { problem: Problem } | undefined> {
  const { clock } = context;
  const backoff = new Backoff({ initialMs: 250, maxMs: 3_000 });
  let connection: KnownConnection = { state: "connecting", sinceMs: clock.now() };
  let isShown = false;
  yield* waiting.begin();
  while (!signal.aborted) {
    const work = reviewIdentity(subscriber.access.client, signal).then(
      (identity) => ({ identity }),
      (error: unknown) => ({ error }),
    );
    const known = isShown ? undefined : await connectionMeanwhile(context, subscriber.access, { answer: work, signal });
    if (known !== undefined) {
      connection = known;
      yield* (await waiting.meanwhile?.(known)) ?? [waiting.away(known)];
      isShown = true;
      yield* waiting.news?.() ?? [];
    }
    while (!(await settlesWithin(work, isShown ? HEARTBEAT_MS : PATIENCE_MS, clock))) {
      yield isShown ? waiting.heartbeat() : waiting.away(connection);
      isShown = true;
      yield* waiting.news?.() ?? [];
    }
    const result = await work;
    if (!("error" in result)) return result;
    if (!(result.error instanceof KubeClientError)) throw result.error;
    if (result.error.failure === "unauthorized") {
      const problem = await whyRefused(context, subscriber, signal);
      if (problem) {
        if (problem.kind === ProblemKind.AGENT_FORBIDDEN) yield* waiting.denied?.() ?? [];
        return { problem };
      }
    }
    yield* waiting.news?.() ?? [];
    connection = connectionAfter(connection, awayAs(context, subscriber.access, result.error));
    const shown = isLetThrough(result.error) ? await waiting.meanwhile?.(connection) : undefined;
    yield* shown ?? [waiting.away(connection)];
    isShown = true;
    await sleep(clock, backoff.nextMs(), signal);
  }
  return undefined;
}

/** State of the connection after a failed attempt; what was known to be unavailable still is when nothing else is known. */
function connectionAfter(before: KnownConnection, now: KnownConnection): KnownConnection {
  if (now.state !== "connecting") return now;
  return now.words === undefined ? before : { ...before, words: now.words };
}

/** What is tried. */
interface RetriedStream<T> {
  /**
   * One try. `began` says that the cluster has answered: earlier failures count no more.
   *
   * @returns the problem it ended with; `undefined` when it is to be tried again at once
   */
  readonly once: (began: () => void) => AsyncGenerator<T, Problem | undefined>;
  /** A problem as a message. */
  readonly toMessage: (problem: Problem) => T;
  readonly clock: Clock;
  /** 0 ≤ random() < 1. */
  readonly random?: () => number;
}

/** Tries a stream again until a problem ends it that does not pass, or `signal` aborts; after 1 s, and ever later up to 10 s. */
export async function* retryStream<T>({ once, toMessage, clock, random }: RetriedStream<T>, signal: AbortSignal): AsyncGenerator<T> {
  const backoff = new Backoff({ initialMs: 1_000, maxMs: 10_000, ...(random === undefined ? {} : { random }) });
  while (!signal.aborted) {
    const problem = yield* once(() => backoff.reset());
    if (signal.aborted) return;
    if (!problem) continue;
    yield toMessage(problem);
    if (problem.kind !== ProblemKind.UNAVAILABLE) return;
    await sleep(clock, backoff.nextMs(), signal);
  }
}
