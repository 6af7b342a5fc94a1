import { EdgeSchema, EnvironmentHealthSchema, NodeSchema, type Edge, type Node } from "@binnacle/proto/dashboard";
import { ManualClock, settle } from "@binnacle/testing";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";

import type { ViewConnection, ViewMessage, ViewSnapshot, ViewSource } from "./view-model.ts";
import { ViewState, type ViewSubscription } from "./view-state.ts";

const HEALTH = create(EnvironmentHealthSchema);
const CONNECTION: ViewConnection = { state: "connecting", sinceMs: 0 };

function putNode(view: ViewState, name: string, externalUrl = ""): void {
  view.putNode(create(NodeSchema, { id: view.numbers.nodes.of(name), ref: { kind: "Pod", name }, externalUrl }));
}

function putEdge(view: ViewState, id: string, kind: string): void {
  view.putEdge(create(EdgeSchema, { id: view.numbers.edges.of(id), from: 1, to: 2, kind }));
}

function source(id: string, settled: ViewSource["settled"], shown = 0): ViewSource {
  const kind = { group: "", version: "v1", resource: id, kind: id, namespace: "app", total: 0, countsForHealth: true };
  return { id, ...kind, shown, ...(settled === undefined ? {} : { settled }) };
}

/** A view of so many nodes as are worth sharing. */
function largeView(clock: ManualClock): ViewState {
  const view = new ViewState(HEALTH, CONNECTION, clock);
  for (let index = 0; index < 300; index += 1) putNode(view, `pod-${index}`);
  view.setSources([source("pods", "live")]);
  view.setComplete(true);
  return view;
}

/** What a browser would have after these messages. */
class Reader {
  readonly nodes = new Map<number, Node>();
  readonly edges = new Map<number, Edge>();
  readonly sources = new Map<string, ViewSource>();
  state: Partial<Pick<ViewSnapshot, "health" | "connection" | "complete" | "isEmpty">> = {};
  readonly #subscription: ViewSubscription;

  constructor(subscription: ViewSubscription) {
    this.#subscription = subscription;
  }

  /** Everything that there is to take; at most a few messages, or something goes in circles. */
  drain(): this {
    for (let turn = 0; turn < 4; turn += 1) {
      const message = this.#subscription.take();
      if (!message) return this;
      this.#apply(message);
    }
    throw new Error("there is always one more");
  }

  one(): this {
    const message = this.#subscription.take();
    if (message) this.#apply(message);
    return this;
  }

  named(name: string): Node | undefined {
    return this.nodes.values().find(({ ref }) => ref?.name === name);
  }

  picture(): unknown {
    const byId = (values: Iterable<{ readonly id: string | number }>): unknown => [...values].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return [byId(this.nodes.values()), byId(this.edges.values()), byId(this.sources.values()), this.state];
  }

  #apply(message: ViewMessage): void {
    const isAll = message.kind === "snapshot";
    if (isAll) for (const map of [this.nodes, this.edges, this.sources]) map.clear();
    for (const each of isAll ? message.nodes : message.upsertedNodes) this.nodes.set(each.id, each);
    for (const each of isAll ? message.edges : message.upsertedEdges) this.edges.set(each.id, each);
    for (const each of isAll ? message.sources : message.upsertedSources) this.sources.set(each.id, each);
    if (!isAll) {
      for (const id of message.removedNodes) this.nodes.delete(id);
      for (const id of message.removedEdges) this.edges.delete(id);
      for (const id of message.removedSources) this.sources.delete(id);
    }
    const { health = this.state.health, connection = this.state.connection, complete = this.state.complete, isEmpty } = message;
    this.state = { isEmpty, ...(health && { health }), ...(connection && { connection }), ...(complete === undefined ? {} : { complete }) };
  }
}

describe("new subscribers of a large view", () => {
  let clock: ManualClock;
  let view: ViewState;
  beforeEach(() => {
    clock = new ManualClock();
    view = largeView(clock);
  });

  function begin(after?: number): ViewSnapshot {
    const message = view.open(() => {}, after === undefined ? undefined : { view: view.id, version: after }).take();
    if (message?.kind !== "snapshot") throw new Error("no snapshot");
    return message;
  }

  test("W15: receive the same lists as those before them, for two seconds of changes, and are notified at once that there is more", async () => {
    const first = begin();
    putNode(view, "pod-7", "changed");
    view.setHealth({ ...HEALTH, reason: "Now" });
    clock.advance(2_000);
    let ready = 0;
    const subscription = view.open(() => (ready += 1));
    await settle();
    const second = subscription.take();
    expect(second).toMatchObject({ kind: "snapshot", version: first.version, health: { reason: "Now" } });
    expect(second?.kind === "snapshot" && second.nodes).toBe(first.nodes);
    await settle();
    expect(ready).toBe(2);
    expect(subscription.take()).toMatchObject({ kind: "delta", upsertedNodes: [{ ref: { name: "pod-7" }, externalUrl: "changed" }] });
    expect(subscription.take()).toBeUndefined();
  });

  test("W15: receive the current content when that of others is older, and the next one receives the same", () => {
    const first = begin();
    putNode(view, "pod-7", "changed");
    clock.advance(2_001);
    const second = begin();
    expect(second.nodes).not.toBe(first.nodes);
    expect(second.nodes.find(({ ref }) => ref?.name === "pod-7")?.externalUrl).toBe("changed");
    expect(begin().nodes).toBe(second.nodes);
  });

  test("W15: is given the same for as long as nothing has changed", () => {
    const first = begin();
    for (let turn = 0; turn < 10; turn += 1) {
      clock.advance(5_000);
      expect(begin().nodes).toBe(first.nodes);
    }
  });

  test.each<[string, () => void]>([
    ["the view becomes incomplete", () => view.setComplete(false)],
    ["a kind may not be read any more", () => view.setSources([source("pods", "forbidden")])],
    ["a kind is read no more", () => view.setSources([])],
    ["a kind that was settled is new", () => view.setSources([source("pods", "live"), source("secrets", "live")])],
    ["the clock was set back", () => clock.advance(-60_000)],
    ["the view is closed", () => view.close()],
  ])("W15: is given what there is now once %s", (_what, happens) => {
    const first = begin();
    happens();
    view.removeNode("pod-7");
    const second = begin();
    expect(second.nodes).not.toBe(first.nodes);
    expect(second.nodes.map(({ ref }) => ref?.name)).not.toContain("pod-7");
  });

  test("W15: a subscriber that was away for too long never receives what it has already", () => {
    const { version } = begin();
    for (let index = 0; index < 10_000; index += 1) {
      putNode(view, "churn", String(index));
      putNode(view, `churn-${index}`);
      view.removeNode(`churn-${index}`);
    }
    expect(begin(version).version).toBeGreaterThan(version);
    expect(new Reader(view.open(() => {}, { view: view.id, version })).drain().named("churn")?.externalUrl).toBe("9999");
  });

  test("W15: leaves nothing behind after a while, and of a small view nothing is kept at all", () => {
    begin();
    expect(clock.pending).toBe(1);
    clock.advance(10_000);
    expect(clock.pending).toBe(0);
    const small = new ViewState(HEALTH, CONNECTION, clock);
    putNode(small, "a");
    small.open(() => {}).take();
    expect(clock.pending).toBe(0);
  });
});

test("W15: whatever changes and whenever a subscriber comes, it ends with the common content, and the connection and health are never old", () => {
  const id = fc.constantFrom("pod-1", "pod-2", "new-1", "new-2");
  const step = fc.oneof(
    fc.record({ do: fc.constant("node" as const), id, fact: fc.constantFrom("", "1", "2") }),
    fc.record({ do: fc.constant("remove" as const), id }),
    fc.record({ do: fc.constant("edge" as const), id, fact: fc.constantFrom("1", "2") }),
    fc.record({ do: fc.constant("unlink" as const), id }),
    fc.record({ do: fc.constant("sources" as const), settled: fc.constantFrom("live", "forbidden", undefined), shown: fc.nat(3) }),
    fc.record({ do: fc.constant("health" as const), fact: fc.constantFrom("1", "2") }),
    fc.record({ do: fc.constant("connection" as const), ms: fc.nat(2) }),
    fc.record({ do: fc.constant("complete" as const), is: fc.boolean() }),
    fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(100, 1_500, 2_001, 20_000) }),
    fc.record({ do: fc.constant("come" as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const clock = new ManualClock();
      const view = largeView(clock);
      const always = new Reader(view.open(() => {})).drain();
      const readers: Reader[] = [];
      const received: unknown[] = [];
      const right: unknown[] = [];
      for (const each of steps) {
        if (each.do === "node") putNode(view, each.id, each.fact);
        else if (each.do === "remove") view.removeNode(each.id);
        else if (each.do === "edge") putEdge(view, each.id, each.fact);
        else if (each.do === "unlink") view.removeEdge(each.id);
        else if (each.do === "sources") view.setSources([source("pods", each.settled, each.shown)]);
        else if (each.do === "health") view.setHealth({ ...HEALTH, reason: each.fact });
        else if (each.do === "connection") view.setConnection({ ...CONNECTION, sinceMs: each.ms });
        else if (each.do === "complete") view.setComplete(each.is);
        else if (each.do === "wait") clock.advance(each.ms);
        always.drain();
        if (each.do !== "come") continue;
        const reader = new Reader(view.open(() => {})).one();
        readers.push(reader);
        received.push(reader.state);
        right.push(always.state);
      }
      expect(received).toEqual(right);
      for (const reader of readers) expect(reader.drain().picture()).toEqual(always.picture());
      expect(new Reader(view.open(() => {})).drain().picture()).toEqual(always.picture());
    }),
  );
});
