import fc from "fast-check";
import { expect, test } from "vitest";

import { endsIn, foldEdges, unfoldEdges, type FoldEdge } from "./fold-edges.ts";
import type { FoldNode } from "./fold-model.ts";
import { foldNodes, unfoldNodes } from "./fold-nodes.ts";
import { rankOfStatus } from "./fold-status.ts";
import { forestOf } from "./forest.ts";

const kinds = ["Pod", "Pod", "ReplicaSet", "Deployment", "Job", "ConfigMap", "Secret", "Widget"];
const anyNode = fc.record({
  kind: fc.constantFrom(...kinds),
  // Owners anywhere, so rings and strangers too; few of them, so that groups come about.
  owner: fc.option(fc.nat(6), { nil: undefined }),
  namespace: fc.constantFrom("a", "b"),
  presence: fc.constantFrom<FoldNode["presence"]>("present", "present", "present", "missing"),
  status: fc.constantFrom("", "Healthy", "Progressing", "Degraded", "Unknown", "odd"),
  superseded: fc.boolean(),
  generated: fc.boolean(),
});

const nodesOf = fc.array(anyNode, { maxLength: 40, size: "max" }).map((made) =>
  made.map(({ owner, ...rest }, index): FoldNode => ({
    ...rest,
    id: `n${index}`,
    group: "",
    name: `name-${index % 3}`,
    ownerId: owner === undefined ? "" : `n${owner}`,
  })),
);
const edgesOf = fc
  .array(fc.record({ source: fc.nat(44), target: fc.nat(44), style: fc.constantFrom("owns", "uses") }), { maxLength: 60, size: "max" })
  .map((made) =>
    made.map(({ source, target, style }, index): FoldEdge => ({ id: `e${index}`, source: `n${source}`, target: `n${target}`, style })),
  );
const anyGraph = fc.record({ nodes: nodesOf, edges: edgesOf }).chain(({ nodes, edges }) =>
  fc.record({
    nodes: fc.constant(nodes),
    edges: fc.constant(edges),
    shuffledNodes: fc.shuffledSubarray(nodes, { minLength: nodes.length }),
    shuffledEdges: fc.shuffledSubarray(edges, { minLength: edges.length }),
    above: fc.constantFrom(1, 2, 5),
  }),
);

function byId<T extends { readonly id: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}

function sorted<T extends { readonly id: string }>(items: readonly T[]): T[] {
  return items.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

test("unfolding what was folded gives back every node and every edge, each once", () => {
  fc.assert(
    fc.property(anyGraph, ({ nodes, edges, above }) => {
      const map = byId(nodes);
      const folding = foldNodes(map, { above });
      const folded = foldEdges(
        edges,
        endsIn(folding.groupOf, (id) => map.has(id)),
      );
      expect(unfoldNodes(folding)).toEqual(sorted(nodes));
      expect(unfoldEdges(folded)).toEqual(sorted(edges));
    }),
    { numRuns: 100 },
  );
});

test("groups and lines do not depend on the order of nodes and edges", () => {
  fc.assert(
    fc.property(anyGraph, ({ nodes, edges, shuffledNodes, shuffledEdges, above }) => {
      const [one, two] = [foldNodes(byId(nodes), { above }), foldNodes(byId(shuffledNodes), { above })];
      expect(two.groups).toEqual(one.groups);
      expect(one.groups).toEqual(sorted(one.groups));
      expect(sorted(two.alone)).toEqual(sorted(one.alone));
      const linesOf = (folding: typeof one, list: readonly FoldEdge[]): unknown => {
        const { lines, ...rest } = foldEdges(
          list,
          endsIn(folding.groupOf, (id) => byId(nodes).has(id)),
        );
        return { lines: sorted([...lines.values()]), ...rest };
      };
      expect(linesOf(two, shuffledEdges)).toEqual(linesOf(one, edges));
    }),
    { numRuns: 100 },
  );
});

test("a group counts all its members, none is worse than it says, and all are of one kind", () => {
  fc.assert(
    fc.property(anyGraph, ({ nodes, above }) => {
      for (const group of foldNodes(byId(nodes), { above }).groups) {
        expect(group.counts.reduce((sum, [, count]) => sum + count, 0)).toBe(group.members.length);
        expect(group.belowCounts.reduce((sum, [, count]) => sum + count, 0)).toBe(group.below.length);
        expect(Math.max(...group.members.map(({ status }) => rankOfStatus(status)))).toBe(rankOfStatus(group.worst));
        expect(new Set(group.members.map(({ kind }) => kind))).toEqual(new Set([group.kind]));
      }
    }),
    { numRuns: 100 },
  );
});

test("opening every group shows every node, and what does not change keeps its groups", () => {
  fc.assert(
    fc.property(anyGraph, ({ nodes }) => {
      const map = byId(nodes);
      const open = new Set<string>();
      for (let folding = foldNodes(map); folding.groups.length > 0; folding = foldNodes(map, { open })) {
        for (const { id } of folding.groups) open.add(id);
      }
      const opened = foldNodes(map, { open });
      expect(opened.alone).toEqual(nodes);
      for (const id of open) expect([...opened.openGroupOf.values()]).toContain(id);
    }),
    { numRuns: 100 },
  );
});

test("any owners make a forest: each node below exactly one root, at a finite depth", () => {
  fc.assert(
    fc.property(nodesOf, (nodes) => {
      const forest = forestOf(byId(nodes));
      const roots = nodes.filter(({ id }) => forest.parentOf(id) === undefined);
      expect(sorted(roots.flatMap(({ id }) => forest.treeOf(id)))).toEqual(sorted(nodes));
      for (const { id } of nodes) {
        expect(forest.parentOf(forest.rootOf(id))).toBeUndefined();
        expect(forest.treeOf(forest.rootOf(id)).map((each) => each.id)).toContain(id);
        expect(forest.depthOf(id)).toBeLessThan(Math.max(1, nodes.length));
      }
    }),
    { numRuns: 100 },
  );
});
