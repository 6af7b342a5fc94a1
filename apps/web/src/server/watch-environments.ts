import { KubeClientError } from "@binnacle/environment-view";
import { ProblemKind, WatchEnvironmentsResponseSchema, type Problem, type WatchEnvironmentsResponse } from "@binnacle/proto/dashboard";
import { Backoff, Fault, sleep } from "@binnacle/rpc";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";

import { indexPath } from "../features/environments/route-path.ts";
import { Bell } from "./bell.ts";
import { hasAgent, openKasAccess, type BffContext, type ConnectedEnvironment } from "./bff-context.ts";
import { reviewIdentity, type ClusterIdentity } from "./cluster-identity.ts";
import { toViewer } from "./environment-messages.ts";
import { queryEnvironments, type EnvironmentRecord, type MainViewer } from "./environment-query.ts";
import { EnvironmentRowState } from "./environment-row.ts";
import { noAgent, problemOf, unauthenticated } from "./problem.ts";
import { keepProven, whyRefused, type Subscriber } from "./subscriber-proof.ts";
import type { ViewerAccess } from "./viewer-access.ts";

const HEARTBEAT_MS = 10_000;
/** The main application is asked again for environments this often. */
const REFRESH_MS = 30_000;
/** Rows change at most this often. */
const PACE_MS = 500;
/** Environments with live numbers; the others are listed without. */
const MOST_LIVE = 40;

interface LiveRow {
  readonly state: EnvironmentRowState;
  readonly stop: AbortController;
  changed: boolean;
}

/** A project's environments, live. */
export async function* watchEnvironments(
  context: BffContext,
  request: { readonly viewerAccess: ViewerAccess | undefined; readonly projectPath: string },
  signal: AbortSignal,
): AsyncGenerator<WatchEnvironmentsResponse> {
  const { clock } = context;
  const rows = new Map<string, LiveRow>();
  const bell = new Bell();
  const returnPath = indexPath(request.projectPath);
  const message = (init: Omit<MessageInitShape<typeof WatchEnvironmentsResponseSchema>, "$typeName">): WatchEnvironmentsResponse =>
    create(WatchEnvironmentsResponseSchema, { ...init, sentAt: timestampFromMs(clock.now()) });
  const backoff = new Backoff({ initialMs: 1_000, maxMs: 10_000 });
  signal.addEventListener("abort", bell.ring, { once: true });
  let first = true;
  try {
    while (!signal.aborted) {
      const found = await lookUp(context, { ...request, returnPath }, signal);
      if (signal.aborted) return;
      if ("problem" in found) {
        const passing = found.problem.kind === ProblemKind.UNAVAILABLE;
        // A main application that is away for a moment takes nothing from a list that is on the screen.
        if (!passing || first) yield message({ problem: found.problem });
        if (!passing) return;
        await sleep(clock, backoff.nextMs(), signal);
        continue;
      }
      backoff.reset();
      const removed = reconcile(context, { rows, bell, found, signal });
      yield message({ rows: taken(rows), removed, complete: true, ...(first ? { viewer: toViewer(found.viewer, undefined) } : {}) });
      first = false;
      const refreshAtMs = clock.now() + REFRESH_MS;
      while (!signal.aborted && clock.now() < refreshAtMs) {
        const cancel = clock.after(Math.min(HEARTBEAT_MS, Math.max(1, refreshAtMs - clock.now())), bell.ring);
        await bell.wait();
        cancel();
        if (signal.aborted) return;
        yield message({ rows: taken(rows), complete: true });
        await sleep(clock, PACE_MS, signal);
      }
    }
  } finally {
    signal.removeEventListener("abort", bell.ring);
    for (const row of rows.values()) row.stop.abort();
  }
}

type Found = { readonly viewerAccess: ViewerAccess; readonly viewer: MainViewer; readonly environments: readonly EnvironmentRecord[] };

async function lookUp(
  context: BffContext,
  request: { readonly viewerAccess: ViewerAccess | undefined; readonly projectPath: string; readonly returnPath: string },
  signal: AbortSignal,
): Promise<Found | { readonly problem: Problem }> {
  const { viewerAccess, projectPath, returnPath } = request;
  if (!viewerAccess) return { problem: unauthenticated(context.signInUrl(returnPath)) };
  try {
    return { viewerAccess, ...(await queryEnvironments(viewerAccess, projectPath, signal)) };
  } catch (error) {
    if (signal.aborted && error instanceof Fault) return { problem: unauthenticated("") };
    return { problem: problemOf(error, context.signInUrl(returnPath)) };
  }
}

/** Starts rows that are new or have changed, ends those that left. @returns names of those that left */
function reconcile(
  context: BffContext,
  { rows, bell, found, signal }: { rows: Map<string, LiveRow>; bell: Bell; found: Found; signal: AbortSignal },
): string[] {
  const names = new Set(found.environments.map((environment) => environment.name));
  const removed = [...rows.keys()].filter((name) => !names.has(name));
  for (const name of removed) rows.get(name)?.stop.abort();
  for (const name of removed) rows.delete(name);
  for (const [index, environment] of found.environments.entries()) {
    const known = rows.get(environment.name);
    if (known && sameEnvironment(known.state.environment, environment)) continue;
    known?.stop.abort();
    const row: LiveRow = { state: new EnvironmentRowState(environment), stop: new AbortController(), changed: true };
    rows.set(environment.name, row);
    if (!hasAgent(environment)) row.state.fail(noAgent(environment));
    else if (index < MOST_LIVE) {
      const until = AbortSignal.any([signal, row.stop.signal]);
      const changed = (): void => {
        row.changed = true;
        bell.ring();
      };
      // Its errors end in the row or in the log; nobody waits for it.
      void feedRow(context, { row, changed, found, environment }, until).catch((error: unknown) =>
        context.log.error({ error }, "a row of the index failed"),
      );
    }
  }
  return removed;
}

async function feedRow(
  context: BffContext,
  { row, changed, found, environment }: { row: LiveRow; changed: () => void; found: Found; environment: ConnectedEnvironment },
  signal: AbortSignal,
): Promise<void> {
  const { viewerAccess, viewer } = found;
  const access = openKasAccess(context, viewerAccess, environment);
  const subscriber = { viewer, viewerAccess, environment, access, returnPath: indexPath(environment.projectPath) };
  while (!signal.aborted) {
    const identified = await identify(context, { subscriber, row, changed }, signal);
    if (!identified) return;
    const problem = await follow(context, { subscriber: { ...subscriber, identity: identified.identity }, row, changed }, signal);
    if (!problem) continue;
    row.state.fail(problem);
    changed();
    return;
  }
}

async function identify(
  context: BffContext,
  { subscriber, row, changed }: { subscriber: Subscriber; row: LiveRow; changed: () => void },
  signal: AbortSignal,
): Promise<{ identity: ClusterIdentity | undefined } | undefined> {
  const backoff = new Backoff({ initialMs: 500, maxMs: 10_000 });
  const sinceMs = context.clock.now();
  while (!signal.aborted) {
    try {
      return { identity: await reviewIdentity(subscriber.access.client, signal) };
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof KubeClientError)) throw error;
      const problem = error.failure === "unauthorized" ? await whyRefused(context, subscriber, signal) : undefined;
      if (problem) row.state.fail(problem);
      else if (error.failure === "agent_offline") row.state.offline(sinceMs, error.message);
      changed();
      if (problem) return undefined;
      await sleep(context.clock, backoff.nextMs(), signal);
    }
  }
  return undefined;
}

/** Feeds a row from the shared view. @returns the problem it ended with; `undefined` when it must identify itself again */
async function follow(
  context: BffContext,
  { subscriber, row, changed }: { subscriber: Subscriber & { identity: ClusterIdentity | undefined }; row: LiveRow; changed: () => void },
  signal: AbortSignal,
): Promise<Problem | undefined> {
  const membership = context.registry.join(subscriber.access, subscriber.identity, subscriber.environment.namespace);
  const subscription = membership.view.open(() => {
    const message = subscription.take();
    if (!message) return;
    row.state.apply(message, context.clock.now());
    changed();
  });
  try {
    const outcome = await keepProven(context, subscriber, signal);
    if (outcome) membership.refuse();
    return outcome?.kind === "problem" ? outcome.problem : undefined;
  } finally {
    subscription.close();
    membership.leave();
  }
}

function taken(rows: ReadonlyMap<string, LiveRow>): WatchEnvironmentsResponse["rows"] {
  const changed = [...rows.values()].filter((row) => row.changed);
  for (const row of changed) row.changed = false;
  return changed.map((row) => row.state.toRow());
}

function sameEnvironment(a: EnvironmentRecord, b: EnvironmentRecord): boolean {
  // The time of the agent's newest connection changes while everything else stays; only the first one matters.
  const shape = ({ agent, ...rest }: EnvironmentRecord): string =>
    JSON.stringify([rest, agent && [String(agent.id), agent.name, agent.projectPath, agent.connectedAt === undefined]]);
  return shape(a) === shape(b);
}
