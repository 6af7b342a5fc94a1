import { KubeClientError, type ViewPosition, type ViewScope } from "@binnacle/environment-view";
import type { Problem, Snapshot, WatchEnvironmentRequest, WatchEnvironmentResponse } from "@binnacle/proto/dashboard";
import { Backoff, Fault, sleep, type Clock } from "@binnacle/rpc";

import { Latest } from "./latest.ts";
import { Signal } from "./signal.ts";
import { environmentPath } from "../../features/address/route-path.ts";
import { hasAgent, openKasAccess, type BffContext } from "../bff-context.ts";
import { reviewIdentity, type ClusterIdentity } from "../upstream/cluster-identity.ts";
import { EnvironmentMessages } from "./environment-messages.ts";
import type { NoteBlock } from "../wire/outgoing-blocks.ts";
import { noAgent, problemOf, unauthenticated } from "../problem.ts";
import { retryStream, type RetriedStream } from "./stream-retry.ts";
import { keepProven, whyRefused, type ProofOutcome, type Subscriber } from "./subscriber-proof.ts";
import type { KnownConnection } from "../wire/to-proto.ts";
import { scopeOf } from "./scope-of.ts";
import { tenantOf } from "../upstream/tenant.ts";
import { FollowedEnvironment } from "../deployment/follow-environment.ts";
import { shownDeployment } from "../deployment/shown-deployment.ts";
import { FollowedGitops } from "../gitops/follow-gitops.ts";
import { FollowedTools } from "../gitops/follow-tools.ts";
import { FollowedTeam } from "../team-file/follow-team-file.ts";
import { lookUpEnvironment } from "../team-file/look-up-environment.ts";
import { withoutTeamRules } from "../team-file/team-view.ts";
import type { ViewerAccess } from "../session/viewer-access.ts";
import { awayAs, isLetThrough } from "../upstream/way-behind-kas.ts";

/** The contract says at most 15 s. */
const HEARTBEAT_MS = 10_000;
/** So long nobody says that nobody answers. */
const PATIENCE_MS = 2_000;

/** Which environment. */
interface EnvironmentNames {
  readonly projectPath: string;
  readonly environment: string;
}

/** Whose stream of which environment. */
interface EnvironmentRequest {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly names: EnvironmentNames;
  /** What the browser has already. */
  readonly after?: ViewPosition | undefined;
  /** As of the messages' scope. */
  readonly noteBlock?: NoteBlock | undefined;
  /** Hears as whom the cluster has just proved the viewer, before the header that says so. */
  readonly proved?: (tenant: string, scope: ViewScope) => void;
}

/** What a browser says that it has already. */
export function positionOf({ after }: WatchEnvironmentRequest): ViewPosition | undefined {
  return after && { view: after.view, version: Number(after.version) };
}

/** One viewer's live environment: whose it is, a snapshot, deltas, heartbeats; a problem ends it unless the problem may pass. */
export function watchEnvironment(
  context: BffContext,
  request: EnvironmentRequest,
  signal: AbortSignal,
): AsyncGenerator<WatchEnvironmentResponse> {
  let { after } = request;
  const once: RetriedStream["once"] = (began) => {
    const stream = watchOnce(context, { ...request, after, began }, signal);
    // Meanwhile the browser may have come further.
    after = undefined;
    return stream;
  };
  return retryStream({ once, clock: context.clock }, signal);
}

/** @returns the problem it ended with; `undefined` when the viewer left or must be looked up again */
async function* watchOnce(
  context: BffContext,
  request: EnvironmentRequest & {
    /** The cluster has answered: earlier failures count no more. */
    readonly began: () => void;
  },
  signal: AbortSignal,
): AsyncGenerator<WatchEnvironmentResponse, Problem | undefined> {
  const { viewerAccess, names, after, noteBlock, began } = request;
  const returnPath = environmentPath(names.projectPath, names.environment);
  if (!viewerAccess) return unauthenticated(context.signInUrl(returnPath));
  try {
    const { viewer, environment } = await lookUpEnvironment(context, viewerAccess, { ...names, signal });
    if (!hasAgent(environment)) return noAgent(environment);
    const access = openKasAccess(context, viewerAccess, environment);
    const subscriber = { viewer, viewerAccess, environment, access, returnPath };
    const identified = yield* identify(context, { ...subscriber, after }, signal);
    if (!identified || "problem" in identified) {
      if (identified) context.pictures.identities.forget(viewer.username, access);
      return identified?.problem;
    }
    began();
    context.pictures.identities.prove(viewer.username, access, identified.identity);
    request.proved?.(tenantOf(access, identified.identity), scopeOf(environment));
    const outcome = yield* streamView(context, { ...subscriber, identity: identified.identity, after, noteBlock }, signal);
    // Who is refused, and who is somebody else, has no last picture.
    if (outcome) context.pictures.identities.forget(viewer.username, access);
    return outcome?.kind === "problem" ? outcome.problem : undefined;
  } catch (error) {
    if (signal.aborted || (error instanceof Fault && error.reason === "cancelled")) return undefined;
    return problemOf(error, context.signInUrl(returnPath));
  }
}

/** Asks the cluster who the viewer is; while nobody answers, the viewer sees that the agent is away. */
async function* identify(
  context: BffContext,
  subscriber: Subscriber & { readonly after: ViewPosition | undefined },
  signal: AbortSignal,
): AsyncGenerator<WatchEnvironmentResponse, { identity: ClusterIdentity | undefined } | { problem: Problem } | undefined> {
  const { clock, wording } = context;
  const messages = new EnvironmentMessages({ ...subscriber, identity: undefined, wording }, () => clock.now());
  const backoff = new Backoff({ initialMs: 250, maxMs: 3_000 });
  let connection: KnownConnection = { state: "connecting", sinceMs: clock.now() };
  let isTold = false;
  // Who has something already has what is newer.
  let mayShow = subscriber.after === undefined;
  yield messages.header();
  while (!signal.aborted) {
    const work = reviewIdentity(subscriber.access.client, signal).then(
      (identity) => ({ identity }),
      (error: unknown) => ({ error }),
    );
    while (!(await settlesWithin(work, isTold ? HEARTBEAT_MS : PATIENCE_MS, clock))) {
      yield isTold ? messages.heartbeat() : messages.waiting(connection);
      isTold = true;
    }
    const result = await work;
    if (!("error" in result)) return result;
    if (!(result.error instanceof KubeClientError)) throw result.error;
    if (result.error.failure === "unauthorized") {
      const problem = await whyRefused(context, subscriber, signal);
      if (problem) return { problem };
    }
    connection = connectionAfter(connection, awayAs(context, subscriber.access, result.error));
    const shown = mayShow && isLetThrough(result.error) ? await lastPictureOf(context, subscriber) : undefined;
    if (shown) {
      mayShow = false;
      const ofThen = new EnvironmentMessages({ ...subscriber, identity: shown.identity, wording }, () => clock.now());
      yield ofThen.header();
      yield ofThen.lastPicture(shown.picture, connection);
    } else yield messages.waiting(connection);
    isTold = true;
    await sleep(clock, backoff.nextMs(), signal);
  }
  return undefined;
}

/** How the way is after an attempt failed; whoever was known to be away still is when nothing else is known. */
function connectionAfter(before: KnownConnection, now: KnownConnection): KnownConnection {
  if (now.state !== "connecting") return now;
  return now.words === undefined ? before : { ...before, words: now.words };
}

/** What the last picture is made of, when there is one for this user: with whom he was to the cluster. */
async function lastPictureOf(
  context: BffContext,
  { viewer, access, environment }: Subscriber,
): Promise<{ readonly picture: Snapshot; readonly identity: ClusterIdentity | undefined } | undefined> {
  const proved = context.pictures.identities.of(viewer.username, access);
  const picture = proved && (await context.registry.lastPicture(proved.tenant, scopeOf(environment)));
  return picture && { picture, identity: proved.identity };
}

async function* streamView(
  context: BffContext,
  subscriber: Subscriber & Pick<EnvironmentRequest, "after" | "noteBlock"> & { readonly identity: ClusterIdentity | undefined },
  signal: AbortSignal,
): AsyncGenerator<WatchEnvironmentResponse, ProofOutcome | undefined> {
  const { clock, registry, wording } = context;
  const { access, identity, environment, after } = subscriber;
  // A session that has ended meanwhile brings no credential along.
  if (signal.aborted) return undefined;
  const wake = new Signal();
  const ended = new AbortController();
  const membership = registry.join(access, identity, scopeOf(environment));
  const { view } = membership;
  const shown = membership.leftOut === undefined ? environment : withoutTeamRules(environment);
  const messages = new EnvironmentMessages({ ...subscriber, environment: shown, wording }, () => clock.now(), view.id);
  const team = new FollowedTeam(context, subscriber.viewerAccess, environment);
  const followed = new FollowedEnvironment({ clock, pollMs: context.mainApplicationPollMs }, subscriber.viewerAccess, environment);
  const gitops = new FollowedGitops({ ...context, ...subscriber, scope: scopeOf(environment) });
  const tools = new FollowedTools(view);
  const shownCommit = new Latest(shownDeployment(followed.deployment, gitops.shown, tools.shown));
  const journal = context.deployments.follow(subscriber);
  journal.note(shownCommit.taken);
  const subscription = view.open(wake.raise, { after });
  signal.addEventListener("abort", wake.raise, { once: true });
  const proof: { outcome?: ProofOutcome; error?: unknown } = {};
  const proving = keepProven(context, subscriber, AbortSignal.any([signal, ended.signal]))
    .then((outcome) => outcome && (proof.outcome = outcome))
    .catch((error: unknown) => (proof.error = error))
    .finally(wake.raise);
  const following = [team, followed, gitops, tools].map((each) => each.run(wake.raise, AbortSignal.any([signal, ended.signal])));
  try {
    yield messages.header(gitops.shown, tools.shown);
    for (;;) {
      const cancelHeartbeat = clock.after(HEARTBEAT_MS, wake.raise);
      await wake.wait();
      cancelHeartbeat();
      if (signal.aborted) return undefined;
      if (proof.error !== undefined) throw proof.error;
      if (proof.outcome) return proof.outcome;
      // Another scope is another view, and what was stopped says so: the stream begins again.
      if (team.isChanged || followed.isChanged || membership.leftOut?.isFree === true || membership.isReplaced()) return undefined;
      const told = [gitops.take(), tools.take()];
      if (told.some((each) => each !== undefined)) yield messages.synced(gitops.shown, tools.shown);
      shownCommit.put(shownDeployment(followed.deployment, gitops.shown, tools.shown));
      const deployed = shownCommit.take();
      journal.note(deployed);
      if (deployed) yield messages.deployed(deployed);
      const message = subscription.take();
      const configuration = membership.configurationProblem();
      yield message ? messages.of(message, configuration) : (messages.configurationChange(configuration) ?? messages.heartbeat());
    }
  } finally {
    // What other tabs of this viewer have is theirs to leave.
    if (proof.outcome?.kind === "moved") membership.moved();
    else if (proof.outcome) membership.refuse();
    signal.removeEventListener("abort", wake.raise);
    subscription.close();
    journal.leave();
    membership.leave();
    ended.abort();
    await Promise.all([proving, ...following]);
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
