import fc from "fast-check";
import { settle } from "@binnacle/testing";
import { beforeEach, describe, expect, test } from "vitest";

import type { ViewConnection, ViewEnvironmentHealth, ViewMessage, ViewNode } from "./view-model.ts";
import { ViewState, type ViewSubscription } from "./view-state.ts";

const HEALTH: ViewEnvironmentHealth = { partial: false, reason: "", message: "", counts: {}, causes: [], hidden: [] };
const CONNECTION: ViewConnection = { state: "connecting", sinceMs: 0, message: "" };

function node(id: string, fact = ""): ViewNode {
  const ref = { group: "", version: "v1", kind: "Pod", resource: "pods", namespace: "app", name: id };
  return {
    id,
    ref,
    presence: "present",
    fact,
    ownerId: "",
    ready: -1,
    wanted: -1,
    externalUrl: "",
    superseded: false,
    restarts: 0,
    images: [],
    generated: false,
    notices: [],
  };
}

/** What a browser would have after these messages. */
class Reader {
  readonly nodes = new Map<string, ViewNode>();
  readonly kinds: string[] = [];

  take(subscription: ViewSubscription): void {
    const message = subscription.take();
    if (message) this.apply(message);
  }

  apply(message: ViewMessage): void {
    this.kinds.push(message.kind);
    if (message.kind === "snapshot") this.nodes.clear();
    for (const changed of message.kind === "snapshot" ? message.nodes : message.upsertedNodes) this.nodes.set(changed.id, changed);
    if (message.kind === "delta") for (const id of message.removedNodes) this.nodes.delete(id);
  }
}

describe("ViewState", () => {
  let state: ViewState;
  beforeEach(() => {
    state = new ViewState(HEALTH, CONNECTION);
  });

  test("gives one snapshot and then only what has changed", () => {
    state.putNode(node("a"));
    const subscription = state.open(() => {});
    expect(subscription.take()).toMatchObject({ kind: "snapshot", nodes: [{ id: "a" }] });
    expect(subscription.take()).toBeUndefined();
    state.putNode(node("a"));
    expect(subscription.take()).toBeUndefined();
    state.putNode(node("a", "changed"));
    state.putNode(node("b"));
    state.removeNode("b");
    expect(subscription.take()).toMatchObject({ kind: "delta", upsertedNodes: [{ id: "a", fact: "changed" }], removedNodes: ["b"] });
  });

  test("says ready once until it is taken", async () => {
    let ready = 0;
    const subscription = state.open(() => (ready += 1));
    await settle();
    expect(ready).toBe(1);
    state.putNode(node("a"));
    state.announce();
    state.announce();
    await settle();
    expect(ready).toBe(1);
    subscription.take();
    state.putNode(node("b"));
    state.announce();
    await settle();
    expect(ready).toBe(2);
    subscription.close();
    state.putNode(node("c"));
    state.announce();
    await settle();
    expect(ready).toBe(2);
  });

  test("a slow subscriber costs no more than the view and is sent everything again", () => {
    const slow = state.open(() => {});
    slow.take();
    for (let index = 0; index < 10_000; index += 1) {
      state.putNode(node(`churn-${index}`));
      state.removeNode(`churn-${index}`);
      state.announce();
    }
    state.putNode(node("stays"));
    const message = slow.take();
    expect(message?.kind).toBe("snapshot");
    expect(message?.kind === "snapshot" && message.nodes.map(({ id }) => id)).toEqual(["stays"]);
  });

  test("whatever happens and whenever somebody reads, all readers end with the same", () => {
    const step = fc.record({
      id: fc.constantFrom("a", "b", "c", "d"),
      fact: fc.constantFrom("1", "2"),
      remove: fc.boolean(),
      read: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const view = new ViewState(HEALTH, CONNECTION);
        const [often, seldom] = [view.open(() => {}), view.open(() => {})];
        const [reader, late] = [new Reader(), new Reader()];
        for (const { id, fact, remove, read } of steps) {
          if (remove) view.removeNode(id);
          else view.putNode(node(id, fact));
          view.announce();
          reader.take(often);
          if (read) late.take(seldom);
        }
        late.take(seldom);
        const fresh = new Reader();
        fresh.take(view.open(() => {}));
        const sorted = (of: Reader): unknown => [...of.nodes].toSorted(([a], [b]) => (a < b ? -1 : 1));
        expect(sorted(reader)).toEqual(sorted(fresh));
        expect(sorted(late)).toEqual(sorted(fresh));
      }),
    );
  });
});
