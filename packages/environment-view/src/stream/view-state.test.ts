import { EnvironmentHealthSchema, NodeSchema, type Node } from "@binnacle/proto/dashboard";
import { settle } from "@binnacle/testing";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";

import type { ViewConnection, ViewMessage } from "./view-model.ts";
import { ViewState, type ViewSubscription } from "./view-state.ts";

const HEALTH = create(EnvironmentHealthSchema);
const CONNECTION: ViewConnection = { state: "connecting", sinceMs: 0 };

/** Puts a node in as the projection does. */
function put(state: ViewState, name: string, externalUrl = ""): void {
  state.putNode(create(NodeSchema, { id: state.numbers.nodes.of(name), ref: { kind: "Pod", name }, externalUrl }));
}

function nameOf({ ref }: Node): string | undefined {
  return ref?.name;
}

/** What a browser would have after these messages. */
class Reader {
  readonly nodes = new Map<number, Node>();
  readonly kinds: string[] = [];
  version = -1;

  take(subscription: ViewSubscription): void {
    const message = subscription.take();
    if (message) this.apply(message);
  }

  apply(message: ViewMessage): void {
    this.kinds.push(message.kind);
    this.version = message.version;
    if (message.kind === "snapshot") this.nodes.clear();
    if (message.kind === "delta") for (const id of message.removedNodes) this.nodes.delete(id);
    for (const changed of message.kind === "snapshot" ? message.nodes : message.upsertedNodes) this.nodes.set(changed.id, changed);
  }
}

describe("ViewState", () => {
  let state: ViewState;
  beforeEach(() => {
    state = new ViewState(HEALTH, CONNECTION);
  });

  test("gives one snapshot and then only what has changed", () => {
    put(state, "a");
    const subscription = state.open(() => {});
    expect(subscription.take()).toMatchObject({ kind: "snapshot", nodes: [{ ref: { name: "a" } }] });
    expect(subscription.take()).toBeUndefined();
    put(state, "a");
    expect(subscription.take()).toBeUndefined();
    put(state, "a", "changed");
    put(state, "b");
    state.removeNode("b");
    expect(subscription.take()).toMatchObject({
      kind: "delta",
      upsertedNodes: [{ id: 1, ref: { name: "a" }, externalUrl: "changed" }],
      removedNodes: [2],
    });
  });

  test("says ready once until it is taken", async () => {
    let ready = 0;
    const subscription = state.open(() => (ready += 1));
    await settle();
    expect(ready).toBe(1);
    put(state, "a");
    state.announce();
    state.announce();
    await settle();
    expect(ready).toBe(1);
    subscription.take();
    put(state, "b");
    state.announce();
    await settle();
    expect(ready).toBe(2);
    subscription.close();
    put(state, "c");
    state.announce();
    await settle();
    expect(ready).toBe(2);
  });

  test("W15: a subscriber that resumes receives only what it has missed", () => {
    for (let index = 0; index < 1_000; index += 1) put(state, `pod-${index}`);
    const before = state.open(() => {});
    const version = before.take()?.version ?? -1;
    before.close();
    put(state, "pod-7", "changed");
    state.removeNode("pod-8");
    const again = state.open(() => {}, { view: state.id, version });
    expect(again.take()).toMatchObject({
      kind: "delta",
      upsertedNodes: [{ id: 8, ref: { name: "pod-7" }, externalUrl: "changed" }],
      removedNodes: [9],
      upsertedSources: [],
    });
    expect(again.take()).toBeUndefined();
  });

  test("W15: a subscriber that resumes and has missed nothing receives that at once", async () => {
    put(state, "a");
    const version = state.open(() => {}).take()?.version ?? -1;
    let ready = 0;
    const again = state.open(() => (ready += 1), { view: state.id, version });
    await settle();
    expect(ready).toBe(1);
    expect(again.take()).toMatchObject({ kind: "delta", upsertedNodes: [], removedNodes: [] });
    expect(again.take()).toBeUndefined();
  });

  test.each([
    ["a version of another view", { view: "other", version: 1 }],
    ["a version that was never", { version: Number.MAX_SAFE_INTEGER }],
    ["a version from before all that is remembered", { version: 0 }],
  ])("W15: a subscriber with %s is sent everything", (_what, position) => {
    for (let index = 0; index < 10_000; index += 1) {
      put(state, `churn-${index}`);
      state.removeNode(`churn-${index}`);
    }
    put(state, "stays");
    const message = state.open(() => {}, { view: state.id, ...position }).take();
    expect(message).toMatchObject({ kind: "snapshot", nodes: [{ ref: { name: "stays" } }] });
  });

  test("US6: there is nothing only when all is known and every kind could be read", () => {
    const source = { id: "/pods/app", group: "", version: "v1", resource: "pods", kind: "Pod", namespace: "app" } as const;
    const counted = { shown: 0, total: 0, countsForHealth: true } as const;
    const isEmpty = (): boolean | undefined => state.open(() => {}).take()?.isEmpty;
    expect(isEmpty(), "nothing is known").toBe(false);
    state.setComplete(true);
    state.setSources([{ ...source, ...counted, settled: "error" }]);
    expect(isEmpty(), "a kind could never be read").toBe(false);
    state.setSources([{ ...source, ...counted, settled: "live" }]);
    expect(isEmpty()).toBe(true);
    put(state, "a");
    expect(isEmpty()).toBe(false);
  });

  test("a slow subscriber costs no more than the view and is sent everything again", () => {
    const slow = state.open(() => {});
    slow.take();
    for (let index = 0; index < 10_000; index += 1) {
      put(state, `churn-${index}`);
      state.removeNode(`churn-${index}`);
      state.announce();
    }
    put(state, "stays");
    const message = slow.take();
    expect(message?.kind).toBe("snapshot");
    expect(message?.kind === "snapshot" && message.nodes.map(nameOf)).toEqual(["stays"]);
  });

  test("whatever happens and whenever a reader reads, all readers end with the same", () => {
    const step = fc.record({
      id: fc.constantFrom("a", "b", "c", "d"),
      fact: fc.constantFrom("1", "2"),
      remove: fc.boolean(),
      read: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const view = new ViewState(HEALTH, CONNECTION);
        const often = view.open(() => {});
        let seldom = view.open(() => {});
        const [reader, late] = [new Reader(), new Reader()];
        for (const { id, fact, remove, read } of steps) {
          if (remove) view.removeNode(id);
          else put(view, id, fact);
          view.announce();
          reader.take(often);
          if (!read) continue;
          late.take(seldom);
          // The connection breaks, and the reader resumes at its version.
          seldom.close();
          seldom = view.open(() => {}, { view: view.id, version: late.version });
        }
        late.take(seldom);
        const fresh = new Reader();
        fresh.take(view.open(() => {}));
        const sorted = (of: Reader): unknown => [...of.nodes].toSorted(([a], [b]) => a - b);
        expect(sorted(reader)).toEqual(sorted(fresh));
        expect(sorted(late)).toEqual(sorted(fresh));
      }),
    );
  });
});
