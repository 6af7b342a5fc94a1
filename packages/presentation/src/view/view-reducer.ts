import type { Delta, Header, Problem, Snapshot, Source, WatchEnvironmentResponse, Connection } from "@binnacle/proto/dashboard";
import { ConnectionState } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../text/format-time.ts";
import { firstAfter } from "./first-view.ts";
import { endsPause, isFinal } from "./pause.ts";
import { isOfAnotherUser, isSameView, viewerAfter } from "./same-view.ts";
import { factsAfter, factsOf, type ViewFacts } from "./view-facts.ts";
import { BLANK, type Pause, type ViewState } from "./view-state.ts";

/** A pending snapshot is shown in place of complete content after this time, complete or not. */
const PENDING_MS = 15_000;

/** What is known of a view beside its nodes and edges. */
export interface StoreState {
  readonly view: ViewState;
  /** The viewer has paused the updates: what is shown of the cluster is this. */
  readonly pause?: (Pause & { readonly at: ViewState }) | undefined;
  /** A snapshot that the server has begun and not completed, while something better is shown. */
  readonly pending?: { readonly sinceMs: number; readonly facts: ViewFacts } | undefined;
  /** The viewer has another identity in the cluster now: what is shown is not what the next snapshot has. */
  readonly isForeign: boolean;
}

/** What happens to a store. Times are milliseconds since the epoch by the server's clock. */
export type StoreInput =
  | { readonly kind: "message"; readonly message: WatchEnvironmentResponse; readonly nowMs: number }
  /** The page was sent before all was known of it that is known first. */
  | { readonly kind: "first"; readonly first: Partial<ViewState> }
  | { readonly kind: "lost"; readonly reason: string; readonly nowMs: number }
  | { readonly kind: "end"; readonly problem: Problem }
  | { readonly kind: "pause"; readonly pause: Pause }
  | { readonly kind: "resume" };

/**
 * What happens to nodes and edges. `isDeletion`: what goes is gone in the cluster; otherwise it may only not be seen any more.
 * `forget-departed`: the next content is that of another identity, which may not see what has been deleted before.
 */
export type GraphAction =
  | { readonly kind: "clear" | "discard-pending" | "forget-departed" }
  | { readonly kind: "replace"; readonly snapshot: Snapshot; readonly isDeletion: boolean }
  | { readonly kind: "patch" | "patch-pending"; readonly delta: Delta; readonly sources: readonly Source[] }
  | { readonly kind: "begin-pending"; readonly snapshot: Snapshot }
  | { readonly kind: "show-pending"; readonly facts: ViewFacts; readonly isDeletion: boolean };

/** What an input changes. */
export interface StoreChange {
  readonly state: StoreState;
  readonly graph: readonly GraphAction[];
}

type Content = WatchEnvironmentResponse["message"];
type Change = Partial<Omit<StoreState, "view">> & { readonly view: Partial<ViewState>; readonly graph?: readonly GraphAction[] };

/** What an input changes in a store. Pure; `blank` is left to the store, because it depends on the nodes. */
export function reduce(state: StoreState, input: StoreInput): StoreChange {
  const { graph = [], view: change, ...rest } = changeBy(state, input);
  const view = input.kind === "message" ? afterMessage(state.view, change, input) : { ...state.view, ...change };
  const next = { ...state, ...rest, view };
  return { state: endsPause(view) ? { ...next, pause: undefined } : next, graph };
}

function changeBy(state: StoreState, input: StoreInput): Change {
  const { view, pause } = state;
  switch (input.kind) {
    case "message":
      return contentChange(state, input.message.message, input.nowMs);
    case "first":
      return { view: view.lastMessageMs === 0 ? input.first : {} };
    case "lost": {
      const sinceMs = view.stream.kind === "lost" ? view.stream.sinceMs : input.nowMs;
      return { view: { stream: { kind: "lost", reason: input.reason, sinceMs }, stale: view.version > 0 } };
    }
    case "end":
      return { view: { problem: input.problem, stream: { kind: "ended" } } };
    case "pause":
      return { view: {}, pause: pause ?? { ...input.pause, at: view } };
    case "resume":
    default:
      return { view: {}, pause: undefined };
  }
}

function afterMessage(
  before: ViewState,
  change: Partial<ViewState>,
  { message, nowMs }: StoreInput & { readonly kind: "message" },
): ViewState {
  const { message: content, sentAt } = message;
  const isOver = content.case === "problem" && isFinal(content.value);
  const stream = { kind: isOver ? "ended" : "open" } as const;
  const view = { ...before, ...change, stream, lastMessageMs: nowMs, sentAtMs: sentAt === undefined ? nowMs : millisOf(sentAt) };
  const isCurrent = !view.stale && !view.kept && view.version > 0 && view.connection?.state === ConnectionState.CONNECTED;
  return { ...view, ...firstAfter(before, view), contentAsOfMs: isCurrent ? nowMs : view.contentAsOfMs };
}

function contentChange(state: StoreState, content: Content, nowMs: number): Change {
  const { view, pending } = state;
  switch (content.case) {
    case "header":
      return headerChange(state, content.value);
    case "connection":
      return { view: { connection: connectionAfter(view.connection, content.value), problem: undefined } };
    case "snapshot":
      return snapshotChange(state, content.value, nowMs);
    case "delta":
      return pending === undefined ? deltaChange(view, content.value) : pendingChange(state, pending, { delta: content.value, nowMs });
    case "problem":
      return { view: { problem: content.value } };
    case "delivery":
      return { view: view.environment === undefined ? {} : { environment: { ...view.environment, delivery: content.value } } };
    default:
      return pending !== undefined && isDue(pending, nowMs) ? pendingShown(state, pending.facts) : { view: {} };
  }
}

/** Whose view the stream is; another user must not see what the one before saw. */
function headerChange({ view: before, isForeign: wasForeign }: StoreState, { environment, viewer, notices, views: links }: Header): Change {
  const now = { environment, viewer: viewerAfter(before.viewer, viewer), notices, links };
  const isForeign = wasForeign || !isSameView(before, now);
  if (isOfAnotherUser(before.viewer, viewer)) {
    const view = { ...BLANK, ...now, connection: undefined, configurationError: undefined };
    return { view, isForeign, pending: undefined, pause: undefined, graph: [{ kind: "clear" }] };
  }
  const first = isForeign && before.version === 0 ? { health: undefined, firstAsOfMs: undefined, empty: undefined } : {};
  // What follows is a snapshot, or what was missed of the one that is shown; never the rest of one that was pending.
  return { view: { ...now, ...first, stale: before.version > 0 }, isForeign, pending: undefined, graph: [{ kind: "discard-pending" }] };
}

function snapshotChange({ view, isForeign }: StoreState, snapshot: Snapshot, nowMs: number): Change {
  const { asOf, connection } = snapshot;
  // The server has cached it, and what is shown of the same view was so at a later time.
  if (!isForeign && asOf !== undefined && view.version > 0 && view.contentAsOfMs >= millisOf(asOf))
    return { view: { problem: undefined, ...(connection && { connection }) } };
  const facts = factsOf(snapshot);
  if (!snapshot.complete && !isForeign && !view.blank) {
    const way = connection && { connection: connectionAfter(view.connection, connection) };
    const pending = { sinceMs: nowMs, facts };
    return { view: { ...way, stale: true, problem: undefined }, pending, graph: [{ kind: "begin-pending", snapshot }] };
  }
  const age = asOf === undefined ? { kept: false } : { kept: true, contentAsOfMs: millisOf(asOf) };
  return {
    view: { ...facts, ...age, connection, problem: undefined, stale: false, version: view.version + 1 },
    isForeign: false,
    pending: undefined,
    // For cached content the time of deletion is unknown.
    graph: [...forgotten(isForeign), { kind: "replace", snapshot, isDeletion: !isForeign && !view.kept }],
  };
}

function deltaChange(view: ViewState, delta: Delta): Change {
  const facts = factsAfter(view, delta);
  const connection = delta.connection ?? view.connection;
  return {
    view: { ...facts, connection, problem: undefined, stale: false, version: view.version + 1 },
    graph: [{ kind: "patch", delta, sources: facts.sources }],
  };
}

function pendingChange(
  state: StoreState,
  before: NonNullable<StoreState["pending"]>,
  { delta, nowMs }: { readonly delta: Delta; readonly nowMs: number },
): Change {
  const pending = { ...before, facts: factsAfter(before.facts, delta) };
  const { facts } = pending;
  const shown: Change = isDue(pending, nowMs) ? pendingShown(state, facts) : { view: {}, pending };
  const way = delta.connection && { connection: connectionAfter(state.view.connection, delta.connection) };
  return {
    ...shown,
    view: { ...shown.view, ...way, problem: undefined },
    graph: [{ kind: "patch-pending", delta, sources: facts.sources }, ...(shown.graph ?? [])],
  };
}

/** The pending content takes the place of what is shown, but for what the server has not requested from the cluster yet. */
function pendingShown({ view, isForeign }: StoreState, facts: ViewFacts): Change {
  return {
    view: { ...facts, stale: false, kept: false, version: view.version + 1 },
    isForeign: false,
    pending: undefined,
    graph: [...forgotten(isForeign), { kind: "show-pending", facts, isDeletion: !isForeign && !view.kept }],
  };
}

function forgotten(isForeign: boolean): readonly GraphAction[] {
  return isForeign ? [{ kind: "forget-departed" }] : [];
}

function isDue({ sinceMs, facts }: NonNullable<StoreState["pending"]>, nowMs: number): boolean {
  return facts.complete || nowMs - sinceMs >= PENDING_MS;
}

/**
 * The connection after a message of a stream that knows nothing of the cluster yet: "not known yet" takes nothing back, and what
 * was away before the stream broke is away since then.
 */
function connectionAfter(before: Connection | undefined, now: Connection): Connection {
  if (before === undefined) return now;
  if (now.state === ConnectionState.CONNECTING && before.state !== ConnectionState.CONNECTED) return before;
  if (now.state !== before.state || before.since === undefined) return now;
  const isOlder = now.since === undefined || millisOf(before.since) < millisOf(now.since);
  return isOlder ? { ...now, since: before.since } : now;
}
