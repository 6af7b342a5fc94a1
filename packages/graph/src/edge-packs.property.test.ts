import fc from "fast-check";
import { expect, test } from "vitest";

import type { KubeObject } from "@binnacle/kube";

import { packObjects } from "./testing/pack-objects.ts";
import { buildGraph } from "./build-graph.ts";
import { EDGE_PACKS } from "./packs/edge-packs.ts";
import { idOf, ResourceGraph } from "./resource-graph.ts";

const RULES = EDGE_PACKS.flatMap(({ rules }) => rules);
/** Everything that stands in the worlds of all packs, together in one. */
const OBJECTS = packObjects();

function edgesOf(graph: ResourceGraph): string[] {
  return graph.edges().map((edge) => JSON.stringify(edge));
}

test("with all packs on the order in which objects arrive does not matter", () => {
  const expected = edgesOf(buildGraph(OBJECTS, [], RULES));
  expect(expected.length).toBeGreaterThan(80);
  const orders = fc.shuffledSubarray([...OBJECTS], { minLength: OBJECTS.length });
  fc.assert(
    fc.property(orders, (shuffled) => {
      expect(edgesOf(buildGraph(shuffled, [], RULES))).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});

test("with packs going on and off and objects coming and going the graph equals a rebuild", () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ object: fc.constantFrom(...OBJECTS), relabel: fc.boolean(), gone: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ packs: fc.subarray([...EDGE_PACKS]) }) },
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
      const graph = new ResourceGraph({ customEdges: RULES });
      const known = new Map<string, KubeObject>();
      let rules = RULES;
      for (const each of steps) {
        if ("packs" in each) {
          rules = each.packs.flatMap((pack) => pack.rules);
          graph.setCustomEdges(rules);
          continue;
        }
        const { object, relabel, gone } = each;
        const id = idOf(object);
        known.delete(id);
        if (gone) graph.remove(id);
        else {
          const next = relabel ? { ...object, metadata: { ...object.metadata, labels: { app: "web" } } } : { ...object };
          graph.upsert(next);
          known.set(id, next);
        }
      }
      expect(edgesOf(graph)).toEqual(edgesOf(buildGraph(known.values(), [], rules)));
    }),
    { numRuns: 60 },
  );
});
