import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ConnectionState, ProblemKind, ProblemSchema, SettledState, WatchEnvironmentResponseSchema } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { reduce, type GraphAction, type StoreInput, type StoreState } from "./view-reducer.ts";
import { START, type ViewState } from "./view-state.ts";

type Content = NonNullable<MessageInitShape<typeof WatchEnvironmentResponseSchema>["message"]>;

const NOW = 100_000;
const ONLINE = { state: ConnectionState.CONNECTED };

function sent(message: Content, nowMs = NOW): StoreInput {
  return { kind: "message", message: create(WatchEnvironmentResponseSchema, { message, sentAt: timestampFromMs(nowMs) }), nowMs };
}

/** After these inputs. Nodes are shown once something was, as a store would add. */
function after(...inputs: readonly StoreInput[]): StoreState {
  let state: StoreState = { view: START, isForeign: false };
  for (const input of inputs) {
    state = reduce(state, input).state;
    state = { ...state, view: { ...state.view, blank: state.view.version === 0 } };
  }
  return state;
}

const header = (username: string, clusterUsername = username): StoreInput =>
  sent({ case: "header", value: { environment: { name: "prod", agentId: 3n }, viewer: { username, clusterUsername } } });
const snapshot = (complete: boolean, nowMs = NOW): StoreInput =>
  sent({ case: "snapshot", value: { complete, connection: ONLINE, sources: [{ resource: "pods" }] } }, nowMs);
const cached = (asOfMs: number): StoreInput =>
  sent({
    case: "snapshot",
    value: { complete: true, asOf: timestampFromMs(asOfMs), connection: { state: ConnectionState.AGENT_OFFLINE } },
  });
const delta = (complete: boolean, nowMs = NOW): StoreInput =>
  sent({ case: "delta", value: { complete, upsertedSources: [{ resource: "pods", settled: SettledState.LIVE }] } }, nowMs);
const heartbeat = (nowMs: number): StoreInput => sent({ case: "heartbeat", value: {} }, nowMs);
const problem = (kind: ProblemKind): StoreInput => sent({ case: "problem", value: { kind } });
const LOST: StoreInput = { kind: "lost", reason: "broken", nowMs: NOW };
const PAUSE: StoreInput = { kind: "pause", pause: { sinceMs: NOW, asOfMs: NOW } };

const SHOWN = [header("mara"), snapshot(true)];
const LATER = NOW + 15_000;

interface Case {
  readonly before: readonly StoreInput[];
  readonly input: StoreInput;
  readonly view?: Partial<ViewState>;
  readonly isPaused?: boolean;
  readonly isPending?: boolean;
  readonly graph?: readonly GraphAction["kind"][];
}

test.each<[string, Case]>([
  ["a snapshot is shown", { before: [header("mara")], input: snapshot(true), view: { stale: false, version: 1 }, graph: ["replace"] }],
  ["an incomplete first snapshot is shown", { before: [header("mara")], input: snapshot(false), graph: ["replace"] }],
  ["a delta changes what is shown", { before: SHOWN, input: delta(false), view: { version: 2 }, graph: ["patch"] }],
  ["a lost stream makes it stale", { before: SHOWN, input: LOST, view: { stale: true } }],
  ["a lost stream makes nothing stale before there is something", { before: [header("mara")], input: LOST, view: { stale: false } }],
  ["a new stream leaves it stale", { before: SHOWN, input: header("mara"), view: { stale: true }, graph: ["discard-pending"] }],
  [
    "a delta of a new stream confirms it",
    { before: [...SHOWN, LOST, header("mara")], input: delta(false), view: { stale: false }, graph: ["patch"] },
  ],
  [
    "an incomplete snapshot is pending while older content is shown",
    { before: SHOWN, input: snapshot(false), view: { stale: true, complete: true, version: 1 }, isPending: true, graph: ["begin-pending"] },
  ],
  [
    "a delta changes the pending snapshot",
    { before: [...SHOWN, snapshot(false)], input: delta(false), view: { version: 1 }, isPending: true, graph: ["patch-pending"] },
  ],
  [
    "a delta that completes the pending snapshot shows it",
    {
      before: [...SHOWN, snapshot(false)],
      input: delta(true),
      view: { stale: false, complete: true, version: 2 },
      graph: ["patch-pending", "show-pending"],
    },
  ],
  [
    "a snapshot that is pending for 15 s is shown",
    { before: [...SHOWN, snapshot(false)], input: heartbeat(LATER), graph: ["show-pending"] },
  ],
  ["a snapshot that is pending for less is not", { before: [...SHOWN, snapshot(false)], input: heartbeat(LATER - 1), isPending: true }],
  ["a new stream discards it", { before: [...SHOWN, snapshot(false)], input: header("mara"), graph: ["discard-pending"] }],
  [
    "another identity replaces at once",
    { before: [...SHOWN, header("mara", "other")], input: snapshot(false), graph: ["forget-departed", "replace"] },
  ],
  [
    "another user clears everything and ends a pause",
    { before: [...SHOWN, PAUSE], input: header("otto"), view: { version: 0, sources: [], connection: undefined }, graph: ["clear"] },
  ],
  ["an outdated cached snapshot is ignored", { before: SHOWN, input: cached(NOW - 1), view: { kept: false, version: 1 } }],
  [
    "a cached snapshot is shown as of then",
    { before: [header("mara")], input: cached(7), view: { kept: true, contentAsOfMs: 7 }, graph: ["replace"] },
  ],
  [
    "a pause lasts while data comes",
    { before: [...SHOWN, PAUSE], input: delta(false), view: { version: 2 }, isPaused: true, graph: ["patch"] },
  ],
  ["a pause lasts when the session ends", { before: [...SHOWN, PAUSE], input: problem(ProblemKind.UNAUTHENTICATED), isPaused: true }],
  ["a pause ends with a view that may not be seen", { before: [...SHOWN, PAUSE], input: problem(ProblemKind.NOT_FOUND) }],
  [
    "a pause and a pending snapshot exclude nothing",
    { before: [...SHOWN, PAUSE], input: snapshot(false), isPaused: true, isPending: true, graph: ["begin-pending"] },
  ],
  ["a view that has ended is not paused", { before: [...SHOWN, problem(ProblemKind.NOT_FOUND)], input: PAUSE }],
  ["a viewer resumes", { before: [...SHOWN, PAUSE], input: { kind: "resume" } }],
  [
    "a problem that passes leaves the stream open",
    { before: SHOWN, input: problem(ProblemKind.UNAVAILABLE), view: { stream: { kind: "open" } } },
  ],
  [
    "the page cannot go on",
    {
      before: SHOWN,
      input: { kind: "end", problem: create(ProblemSchema, { kind: ProblemKind.UNAUTHENTICATED }) },
      view: { stream: { kind: "ended" } },
    },
  ],
  [
    "what the page was sent with counts before the stream",
    { before: [], input: { kind: "first", first: { kept: true } }, view: { kept: true } },
  ],
  [
    "what the page was sent with does not count after it",
    { before: SHOWN, input: { kind: "first", first: { kept: true } }, view: { kept: false } },
  ],
])("%s", (_, { before, input, view = {}, isPaused = false, isPending = false, graph = [] }) => {
  const state = after(...before);
  const frozen = structuredClone({ pending: state.pending, isForeign: state.isForeign });
  const change = reduce(state, input);
  expect(change.state.view).toMatchObject(view);
  expect([change.state.pause !== undefined, change.state.pending !== undefined]).toEqual([isPaused, isPending]);
  expect(change.graph.map(({ kind }) => kind)).toEqual(graph);
  expect({ pending: state.pending, isForeign: state.isForeign }).toEqual(frozen);
  expect(reduce(state, input)).toEqual(change);
});

test("what leaves with a snapshot was deleted, unless it was cached or of another identity", () => {
  const deletions = (...inputs: readonly StoreInput[]): unknown =>
    reduce(after(...inputs), snapshot(true)).graph.flatMap((action) => (action.kind === "replace" ? [action.isDeletion] : []));
  expect(deletions(...SHOWN, header("mara"))).toEqual([true]);
  expect(deletions(...SHOWN, header("mara", "other"))).toEqual([false]);
  expect(deletions(header("mara"), cached(7))).toEqual([false]);
});
