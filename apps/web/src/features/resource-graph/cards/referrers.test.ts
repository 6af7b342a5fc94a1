import { Presence } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { referrersOf } from "@binnacle/presentation/drawing/card-words";
import { madeEdge, madeNode } from "../../live/made-view.ts";
import type { LiveEdge, LiveNode } from "../../live/live-node.ts";

function node(id: string, presence: Presence = Presence.PRESENT): LiveNode {
  return madeNode({ id, presence, ref: { kind: "Any", name: id } });
}

/** A graph that counts how often its edges are walked. */
class Graph {
  readonly nodes = new Map<string, LiveNode>();
  readonly walked = new Map<string, LiveEdge>();
  version = 1;
  walks = 0;

  get edges(): ReadonlyMap<string, LiveEdge> {
    this.walks += 1;
    return this.walked;
  }

  readonly node = (id: string): LiveNode | undefined => this.nodes.get(id);

  readonly graphVersion = (): number => this.version;

  put(from: string, to: string): void {
    if (!this.nodes.has(from)) this.nodes.set(from, node(from));
    if (!this.nodes.has(to)) this.nodes.set(to, node(to, Presence.MISSING));
    this.walked.set(`${from} ${to}`, madeEdge({ id: `${from} ${to}`, from, to }));
  }
}

test("names the one that refers to it, or the shortest name and how many more", () => {
  const graph = new Graph();
  graph.put("web", "settings");
  graph.put("checkout", "settings");
  graph.put("web", "alone");
  expect(referrersOf("settings", graph)).toBe("web and 1 more");
  expect(referrersOf("alone", graph)).toBe("web");
  expect(referrersOf("never", graph)).toBe("another resource");
});

test("W19: a hundred missing ones walk the edges once per change of the graph", () => {
  const graph = new Graph();
  for (let index = 0; index < 100; index += 1) graph.put("web", `gone-${index}`);
  for (let index = 0; index < 100; index += 1) referrersOf(`gone-${index}`, graph);
  expect(graph.walks).toBe(1);
  graph.put("checkout", "gone-7");
  graph.version = 2;
  expect(referrersOf("gone-7", graph)).toBe("web and 1 more");
  expect(graph.walks).toBe(2);
});
