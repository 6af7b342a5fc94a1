import { create } from "@bufbuild/protobuf";
import { DeltaSchema, SnapshotSchema, WatchEnvironmentResponseSchema } from "@binnacle/proto/dashboard";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";
import { EnvironmentStore } from "../../live/environment-store.ts";
import { MadeView } from "../../live/made-view.ts";
import { GraphSession } from "./graph-session.ts";
import { GraphEngine, type EngineRequest } from "@binnacle/presentation/layout/graph-engine";
import type { LayoutPort } from "./layout-port.ts";

/** A layout that answers when the test says so, with what the test says. */
class FakeLayout implements LayoutPort {
  readonly engine = new GraphEngine();
  readonly requests: EngineRequest[] = [];
  readonly #answers: ((answer: unknown) => void)[] = [];
  readonly die: () => void;
  closed = false;

  constructor(died: () => void) {
    this.die = died;
  }

  send(request: EngineRequest, answer: (answer: unknown) => void): void {
    this.requests.push(structuredClone(request));
    this.#answers.push(answer);
  }

  /** Answers request number `index`, counted from 0: as the engine does, or with `lie`. */
  answer(index: number, lie?: unknown): void {
    const request = this.requests[index];
    if (request === undefined) throw new Error(`no request ${index}`);
    this.#answers[index]?.(lie ?? this.engine.answer(request));
  }

  close(): void {
    this.closed = true;
  }
}

function rig() {
  const server = new MadeView();
  const clock = new ManualClock();
  const store = new EnvironmentStore((flush) => flush());
  const layouts: FakeLayout[] = [];
  const send = (message: Parameters<typeof create<typeof WatchEnvironmentResponseSchema>>[1]): void => {
    store.apply(create(WatchEnvironmentResponseSchema, message), 1_000);
  };
  const nodes = (ids: readonly string[]) => server.nodes(ids.map((id) => ({ id, ref: { kind: "Job", name: id, namespace: "shop" } })));
  const snapshot = (...ids: string[]): void =>
    send({ message: { case: "snapshot", value: create(SnapshotSchema, { nodes: nodes(ids), complete: true }) } });
  const delta = (came: readonly string[], went: readonly string[] = []): void =>
    send({ message: { case: "delta", value: create(DeltaSchema, { upsertedNodes: nodes(came), removedNodes: server.numbers(went) }) } });
  const open = (died: () => void): LayoutPort => {
    const layout = new FakeLayout(died);
    layouts.push(layout);
    return layout;
  };
  const session = new GraphSession(store, open, { clock });
  const newest = (): FakeLayout => {
    const layout = layouts.at(-1);
    if (layout === undefined) throw new Error("no layout was started");
    return layout;
  };
  const cards = (): string[] => [...session.picture().cards.values()].map(({ card }) => card.name).toSorted();
  return { clock, store, layouts, session, snapshot, delta, newest, cards };
}

test("no request is sent before there is data", () => {
  const { layouts, session, snapshot, newest, cards } = rig();
  expect(newest().requests).toEqual([]);
  snapshot("a", "b");
  newest().answer(0);
  expect(cards()).toEqual(["a", "b"]);
  expect(session.picture()).toMatchObject({ version: 1, layout: "answering" });
  expect(layouts).toHaveLength(1);
});

test("one request is under way at a time, and what comes meanwhile is sent as one", () => {
  const { snapshot, delta, newest, session, cards } = rig();
  snapshot("a");
  delta(["b"]);
  delta(["c"], ["b"]);
  session.setFilter({ namespaces: ["shop"], kinds: [], statuses: [], onlyProblems: false });
  session.tidy();
  expect(newest().requests).toHaveLength(1);
  newest().answer(0);
  expect(newest().requests).toHaveLength(2);
  expect(newest().requests[1]).toMatchObject({ nodes: [{ name: "c" }], removedNodes: [], filter: { namespaces: ["shop"] }, tidy: true });
  newest().answer(1);
  expect(newest().requests).toHaveLength(2);
  expect(cards()).toEqual(["a", "c"]);
});

test("W13: a layout that is silent for 15 s is replaced, and the new one gets the newest state of everything", () => {
  const { clock, layouts, snapshot, delta, session, newest, cards } = rig();
  snapshot("a", "b");
  newest().answer(0);
  session.setFilter({ namespaces: ["shop"], kinds: [], statuses: [], onlyProblems: false });
  delta(["c"], ["a"]);
  clock.advance(14_999);
  expect(session.picture().layout).toBe("answering");
  clock.advance(1);
  expect(session.picture().layout).toBe("restarting");
  expect(layouts[0]?.closed).toBe(true);
  delta(["d"]);
  clock.advance(500);
  expect(layouts).toHaveLength(2);
  expect(newest().requests[0]?.nodes?.map(({ name }) => name)).toEqual(["b", "c", "d"]);
  expect(newest().requests[0]).toMatchObject({ filter: { namespaces: ["shop"] }, tidy: true });
  newest().answer(0);
  expect(cards()).toEqual(["b", "c", "d"]);
  expect(session.picture().layout).toBe("answering");
});

test("W13: the answer of a layout that was replaced is not listened to", () => {
  const { clock, layouts, snapshot, delta, newest, cards, session } = rig();
  snapshot("a");
  clock.advance(15_500);
  layouts[0]?.answer(0);
  expect(session.picture().version).toBe(0);
  newest().answer(0);
  delta(["b"]);
  layouts[0]?.answer(0);
  layouts[0]?.die();
  newest().answer(1);
  expect(cards()).toEqual(["a", "b"]);
  expect(layouts).toHaveLength(2);
});

test("W13: a second answer to one request changes nothing", () => {
  const { snapshot, delta, newest, cards, session } = rig();
  snapshot("a");
  newest().answer(0);
  delta([], ["a"]);
  newest().answer(0, { ...new GraphEngine().answer({}), total: 7 });
  expect(session.picture().total).not.toBe(7);
  newest().answer(1);
  expect(cards()).toEqual([]);
});

test("W13: a layout that dies is replaced at once, with a pause that doubles", () => {
  const { clock, layouts, snapshot, newest } = rig();
  snapshot("a");
  for (const [restart, pauseMs] of [500, 1_000, 2_000].entries()) {
    newest().die();
    newest().die();
    clock.advance(pauseMs - 1);
    expect(layouts).toHaveLength(restart + 1);
    clock.advance(1);
    expect(layouts).toHaveLength(restart + 2);
  }
});

test.each([
  ["a list", []],
  ["a text", "later"],
  ["no lists", {}],
  ["a card without id", { cards: [{ card: {} }], removedCards: [], edges: [], removedEdges: [], total: 1, hidden: 0 }],
  ["no number", { cards: [], removedCards: [], edges: [], removedEdges: [], total: Number.NaN, hidden: 0 }],
])("W13: a layout that answers with %s is replaced", (_, lie) => {
  const { clock, layouts, snapshot, newest, cards } = rig();
  snapshot("a");
  newest().answer(0, lie);
  expect(layouts[0]?.closed).toBe(true);
  clock.advance(500);
  newest().answer(0);
  expect(cards()).toEqual(["a"]);
});

test("W13: after three new starts in a row it stops, says so, and keeps nothing of what changes", () => {
  const { clock, store, layouts, snapshot, delta, session } = rig();
  snapshot("a");
  layouts[0]?.answer(0);
  let notifications = 0;
  session.onPicture(() => {
    notifications += 1;
  });
  delta(["b"]);
  clock.advance(4 * 15_000 + 3_500);
  expect(session.picture().layout).toBe("stopped");
  expect(notifications).toBeGreaterThan(0);
  expect(layouts).toHaveLength(4);
  expect(layouts.every(({ closed }) => closed)).toBe(true);
  delta(["c"]);
  clock.advance(3_600_000);
  expect(layouts).toHaveLength(4);
  expect(store.untakenSize).toBe(0);
  expect(clock.pending).toBe(0);
});

test("W13: a person starts a stopped layout again, and it draws what is there now", () => {
  const { clock, layouts, snapshot, delta, session, newest, cards } = rig();
  snapshot("a");
  newest().answer(0);
  session.tryAgain();
  expect(layouts).toHaveLength(1);
  for (let each = 0; each < 4; each += 1) {
    newest().die();
    clock.advance(2_000);
  }
  expect(session.picture().layout).toBe("stopped");
  delta(["b"], ["a"]);
  session.tryAgain();
  newest().answer(0);
  expect(cards()).toEqual(["b"]);
  expect(session.picture().layout).toBe("answering");
  newest().die();
  expect(session.picture().layout).toBe("restarting");
});

test("W13: of an environment that has emptied meanwhile a new layout leaves nothing on the canvas", () => {
  const { clock, snapshot, delta, newest, cards } = rig();
  snapshot("a");
  newest().answer(0);
  newest().die();
  delta([], ["a"]);
  clock.advance(500);
  newest().answer(0);
  expect(cards()).toEqual([]);
});

test("W13: after a steady minute earlier deaths count no more", () => {
  const { clock, layouts, snapshot, newest, session } = rig();
  snapshot("a");
  for (let each = 0; each < 10; each += 1) {
    newest().answer(0);
    clock.advance(60_000);
    newest().die();
    clock.advance(500);
  }
  expect(layouts).toHaveLength(11);
  expect(session.picture().layout).toBe("answering");
});

test("W13: a layout that cannot even be started ends as one that stopped", () => {
  const clock = new ManualClock();
  const session = new GraphSession(
    new EnvironmentStore((flush) => flush()),
    () => {
      throw new Error("no workers here");
    },
    { clock },
  );
  clock.advance(10_000);
  expect(session.picture().layout).toBe("stopped");
});

test("W13: one that cannot send its request is replaced", () => {
  const { clock, layouts, snapshot, newest } = rig();
  newest().send = () => {
    throw new Error("DataCloneError");
  };
  snapshot("a");
  clock.advance(500);
  expect(layouts).toHaveLength(2);
  expect(newest().requests).toHaveLength(1);
});

test("W13: a layout that dies of each request at once ends as one that stopped", () => {
  const { clock, store, layouts, snapshot, session } = rig();
  const dieOf = (): void => {
    const layout = layouts.at(-1);
    if (layout !== undefined) layout.send = () => layout.die();
  };
  session.onPicture(dieOf);
  dieOf();
  snapshot("a");
  expect(session.picture().layout).toBe("restarting");
  clock.advance(3_500);
  expect(layouts).toHaveLength(4);
  expect(session.picture().layout).toBe("stopped");
  expect([clock.pending, store.untakenSize]).toEqual([0, 0]);
});

test("a closed session leaves no layout, timer or kept change", () => {
  const { clock, store, layouts, snapshot, delta, session } = rig();
  snapshot("a");
  session.close();
  delta(["b"]);
  layouts[0]?.die();
  session.tryAgain();
  expect(layouts).toHaveLength(1);
  expect(layouts[0]?.closed).toBe(true);
  expect([clock.pending, store.untakenSize]).toEqual([0, 0]);
});

test("UB5: what is new is named once, and not after a tidy layout", () => {
  const { session, snapshot, delta, newest } = rig();
  snapshot("a");
  newest().answer(0);
  expect(session.picture()).toMatchObject({ arrived: [], moved: false });
  delta(["b"]);
  newest().answer(1);
  expect(session.picture()).toMatchObject({ arrived: ["/Job/shop/b"], moved: false });
  delta(["a"]);
  session.tidy();
  newest().answer(2);
  expect(session.picture()).toMatchObject({ arrived: [], moved: false });
});

test("a layout that is started anew hears what is looked at, and what it has to fit into", () => {
  const { clock, session, snapshot, newest } = rig();
  session.setRoom({ width: 900, height: 300 });
  snapshot("a");
  newest().answer(0);
  session.lookAt("a");
  expect(newest().requests[1]).toMatchObject({ wanted: ["a"] });
  newest().die();
  clock.advance(500);
  expect(newest().requests[0]).toMatchObject({ wanted: ["a"], room: { width: 900, height: 300 } });
});
