import fc from "fast-check";
import { expect, test } from "vitest";

import { isFields, type KubeObject } from "@binnacle/kube";

import { buildGraph } from "./build-graph.ts";
import type { GraphEdge, GraphNode, KindAccessEntry } from "./graph-model.ts";
import { matchesSelector } from "./label-selector.ts";
import { kindIdOf } from "./kind-id.ts";
import { idOf, ResourceGraph } from "./resource-graph.ts";
import { CustomEdges } from "./custom-edges.ts";
import type { CustomEdgeRule } from "./custom-edge-rule.ts";
import { bareTokenOf, ghostOf, sameToken, tokenOf, type NameTarget } from "./name-target.ts";
import type { SelectorTarget } from "./reference.ts";
import { referencesOf, tokensOf } from "./references-of.ts";
import { templateLabelsOf } from "./references/workload-references.ts";
import { CUSTOM, made, object, step, unique } from "./testing/random-objects.ts";

function stateOf(graph: ResourceGraph) {
  const nodes = graph.nodes();
  const context = nodes.map(({ id }) =>
    [graph.contextOf(id).map(idOf), graph.missingOf(id).map((ghost) => ghost.id), graph.edgesOf(id).map((edge) => edge.id)].join(" "),
  );
  return { nodes, edges: graph.edges(), warnings: graph.ownerWarnings(), context };
}

function sameItems<T>(left: readonly T[] | undefined, right: readonly T[]): boolean {
  return left?.length === right.length && right.every((each, index) => each === left[index]);
}

test("the order in which objects arrive does not matter", () => {
  fc.assert(
    fc.property(
      fc
        .array(object, { maxLength: 25 })
        .chain((objects) =>
          fc.tuple(fc.constant(unique(objects)), fc.shuffledSubarray(unique(objects), { minLength: unique(objects).length })),
        ),
      ([objects, shuffled]) => {
        expect(stateOf(buildGraph(shuffled, [], CUSTOM))).toEqual(stateOf(buildGraph(objects, [], CUSTOM)));
      },
    ),
    { numRuns: 300 },
  );
});

test("after every step of a history the graph equals a rebuild, its changes lead there, and dependents are complete", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const graph = new ResourceGraph();
      const known = new Map<string, KubeObject>();
      const rules = new Map<string, KindAccessEntry>();
      let custom: readonly CustomEdgeRule[] = [];
      const nodes = new Map<string, GraphNode>();
      const edges = new Map<string, GraphEdge>();
      const related = new Map<string, KubeObject[]>();
      for (const each of steps) {
        if ("upsert" in each) {
          graph.upsert(each.upsert);
          const {
            group,
            kind: kindName,
            namespace,
            name: called,
          } = {
            group: each.upsert.apiVersion.split("/")[1] === undefined ? "" : each.upsert.apiVersion,
            ...each.upsert.metadata,
            kind: each.upsert.kind,
          };
          known.set(`${group}/${kindName}/${namespace}/${called}`, each.upsert);
        } else if ("remove" in each) {
          const [key, victim] = [...known][each.remove] ?? [];
          if (key === undefined || victim === undefined) continue;
          graph.remove(idOf(victim));
          known.delete(key);
        } else if ("rules" in each) {
          graph.setCustomEdges(each.rules);
          custom = each.rules;
        } else {
          graph.setKindAccess(each.entry);
          rules.set(each.entry.kind, each.entry);
        }
        const changes = graph.takeChanges();
        for (const id of changes.removedNodes) expect(nodes.delete(id)).toBe(true);
        for (const id of changes.removedEdges) expect(edges.delete(id)).toBe(true);
        for (const node of changes.upsertedNodes) nodes.set(node.id, node);
        for (const edge of changes.upsertedEdges) edges.set(edge.id, edge);
        for (const id of changes.removedNodes) related.delete(id);
        for (const id of [...changes.upsertedNodes.map(({ id }) => id), ...changes.dependents]) related.set(id, graph.relatedOf(id));

        const rebuilt = buildGraph(known.values(), rules.values(), custom);
        const expected = stateOf(rebuilt);
        expect(stateOf(graph)).toEqual(expected);
        expect([...nodes.values()].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(expected.nodes);
        expect([...edges.values()].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(expected.edges);
        const stale = expected.nodes.filter(({ id }) => !sameItems(related.get(id), rebuilt.relatedOf(id)));
        expect(stale).toEqual([]);
        const ids = new Set(expected.nodes.map(({ id }) => id));
        expect(expected.edges.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toEqual([]);
        expect(expected.nodes.filter(({ id, presence }) => presence !== "present" && graph.edgesOf(id).length === 0)).toEqual([]);
      }
    }),
    { numRuns: 150 },
  );
}, 60_000);

function madeLabelsOf(object: KubeObject): unknown {
  return templateLabelsOf(object) ?? new CustomEdges(CUSTOM).templateLabelsOf(object);
}

/** Objects that a target means, by looking at all of them. */
function naiveTargets(target: NameTarget | SelectorTarget, objects: readonly KubeObject[]): readonly KubeObject[] {
  if (target.by === "selector") {
    const { among, namespace, selector } = target;
    const [scope, kind] = among === "pods" ? ["in", "/Pod"] : among.split(":");
    return objects.filter((candidate) => {
      const labelsOf = among === "workloads" ? madeLabelsOf(candidate) : candidate.metadata.labels;
      const isOne = among === "workloads" ? labelsOf !== undefined : kindIdOf(candidate) === kind;
      const isThere = scope === "any" || candidate.metadata.namespace === namespace;
      return isOne && isThere && matchesSelector(selector, isFields(labelsOf) ? labelsOf : {});
    });
  }
  const [named, fallen] = [tokenOf(target), bareTokenOf(target) ?? ""].map((token) =>
    objects.filter((any) => tokensOf(any).some((each) => sameToken(each, token))),
  );
  return named?.length ? named : (fallen ?? []);
}

/** Every reference of every object against every object: slow, and plainly right. */
function naiveEdges(objects: readonly KubeObject[]): string[] {
  const found = new Set<string>();
  const custom = new CustomEdges(CUSTOM);
  for (const holder of objects) {
    for (const { row, target, details } of [...referencesOf(holder), ...custom.referencesOf(holder)]) {
      const isHidden = objects.some((any) => details.unless !== undefined && tokensOf(any).includes(details.unless));
      if (isHidden) continue;
      const targets = naiveTargets(target, objects);
      const tree = row.class === "owner" || row.class === "inferred-owner";
      const legal = targets.filter(
        (to) => !(tree && to === holder) && (row.class !== "owner" || to.metadata.namespace === holder.metadata.namespace),
      );
      for (const to of legal) {
        const [first, second] = details.inverse === true ? [to, holder] : [holder, to];
        found.add(`${idOf(first)}|${row.kind}|${idOf(second)}`);
      }
      if (targets.length > 0 || target.by === "selector") continue;
      const ghost = ghostOf(target);
      if (ghost === undefined) continue;
      const { group, kind: kindName, namespace, name: called } = ghost;
      found.add(`${idOf(holder)}|${row.kind}|${group}/${kindName}/${namespace}/${called}`);
    }
  }
  return [...found].sort();
}

test("the indexes find what comparing everything with everything finds", () => {
  fc.assert(
    fc.property(fc.array(object, { maxLength: 25 }).map(unique), (objects) => {
      expect(
        buildGraph(objects, [], CUSTOM)
          .edges()
          .map(({ id }) => id),
      ).toEqual(naiveEdges(objects));
    }),
    { numRuns: 300 },
  );
});

test("objects that are looked at one by one end where those that come together do", () => {
  fc.assert(
    fc.property(fc.array(object, { maxLength: 25 }).map(unique), (objects) => {
      const graph = new ResourceGraph({ customEdges: CUSTOM });
      for (const each of objects) {
        graph.upsert(each);
        graph.takeChanges();
      }
      const together = buildGraph(objects, [], CUSTOM);
      expect(graph.edges()).toEqual(together.edges());
      expect(graph.nodes()).toEqual(together.nodes());
    }),
    { numRuns: 300 },
  );
});

test("owners in random rings form a forest, and every line ends at a node", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 40 }), (pairs) => {
      const byChild = new Map<number, number[]>();
      for (const [child, parent] of pairs) byChild.set(child, [...(byChild.get(child) ?? []), parent]);
      const objects = [...Array(12).keys()].map((n) => ({
        apiVersion: "x.io/v1",
        kind: "Widget",
        metadata: {
          name: `n${n}`,
          uid: `u${n}`,
          ownerReferences: (byChild.get(n) ?? []).map((parent) => ({
            apiVersion: "x.io/v1",
            kind: "Widget",
            name: `n${parent}`,
            uid: `u${parent}`,
          })),
        },
      }));
      const graph = buildGraph(objects);
      const nodes = new Map(graph.nodes().map((node) => [node.id, node]));
      for (const { id } of nodes.values()) {
        const ancestors = graph.ancestorsOf(id);
        expect(new Set([id, ...ancestors]).size).toBe(ancestors.length + 1);
      }
      for (const edge of graph.edges()) expect(nodes.has(edge.from) && nodes.has(edge.to)).toBe(true);
      const wanted = objects.filter(({ metadata }) => metadata.ownerReferences.some(({ uid }) => uid !== metadata.uid)).length;
      const granted = [...nodes.values()].filter(({ ownerId }) => ownerId !== undefined).length;
      expect(granted).toBe(wanted - graph.ownerRings().length);
    }),
    { numRuns: 300 },
  );
});

test("odd shapes below the name are read as nothing, never thrown at", () => {
  const names =
    "spec selector matchLabels matchExpressions containers env envFrom valueFrom volumes projected sources rules http paths backend tls template endpoints targetRef scaleTargetRef parentRefs backendRefs volumeClaimTemplates metadata labels ownerReferences name uid kind".split(
      " ",
    );
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 5 },
      fc.oneof(fc.constantFrom("a", "Pod", ""), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined)),
      fc.array(tie("json"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie("json"), { maxKeys: 5 }),
    ),
  }));
  const kinds = [...new Set(fc.sample(made, 200).map((each) => `${each.apiVersion} ${each.kind}`))];
  const odd = fc.record({ type: fc.constantFrom(...kinds), spec: json, endpoints: json, labels: json, ownerReferences: json });
  fc.assert(
    fc.property(fc.array(odd, { maxLength: 5 }), (objects) => {
      const graph = new ResourceGraph();
      for (const [index, { type, spec, endpoints, labels: oddLabels, ownerReferences }] of objects.entries()) {
        const [apiVersion = "", kindName = ""] = type.split(" ");
        const odder: unknown = {
          apiVersion,
          kind: kindName,
          spec,
          endpoints,
          metadata: { name: `n${index}`, labels: oddLabels, ownerReferences },
        };
        // Odd on purpose: only apiVersion, kind and name are promised.
        graph.upsert(odder as KubeObject);
      }
      expect(graph.nodes().length).toBeGreaterThanOrEqual(objects.length);
      expect(graph.takeChanges().upsertedNodes).toEqual(graph.nodes());
    }),
    { numRuns: 500 },
  );
});
