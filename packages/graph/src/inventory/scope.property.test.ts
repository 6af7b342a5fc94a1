import fc from "fast-check";
import { expect, test } from "vitest";

import type { KubeObject } from "@binnacle/kube";

import { buildGraph } from "../build-graph.ts";
import { idOf, ResourceGraph } from "../resource-graph.ts";
import { inventoriesOf, missingEntriesOf } from "./inventories-of.ts";
import { managerOf } from "./manager-of.ts";
import { membersOf } from "./members-of.ts";
import { ScopeIndex } from "./scope-index.ts";
import type { ScopeSelector } from "./scope-selector.ts";

const NAMES = ["a", "b", "c", "d", "e"];
const INVENTORY_ID = "cli-utils.sigs.k8s.io/inventory-id";
const name = fc.constantFrom(...NAMES);
const namespace = fc.constantFrom("one", "two");

// Owners go to any widget, in rings too; a widget without a namespace may own everywhere.
const widget = fc
  .record({
    name,
    namespace: fc.constantFrom("one", "two", ""),
    incarnation: fc.constantFrom("1", "1", "2"),
    owners: fc.array(fc.record({ name, namespace: fc.constantFrom("one", ""), controller: fc.boolean() }), { maxLength: 2 }),
    labels: fc.dictionary(fc.constantFrom("tier"), fc.constantFrom("x", "y"), { maxKeys: 1 }),
    mark: fc.constantFrom(undefined, undefined, "inv-1", "inv-2"),
  })
  .map((made): KubeObject => ({
    apiVersion: "x.io/v1",
    kind: made.namespace === "" ? "Root" : "Widget",
    metadata: {
      name: made.name,
      ...(made.namespace === "" ? {} : { namespace: made.namespace }),
      uid: `${made.namespace}.${made.name}.${made.incarnation}`,
      labels: made.labels,
      ...(made.mark === undefined ? {} : { annotations: { "config.k8s.io/owning-inventory": made.mark } }),
      ownerReferences: made.owners.map((owner) => ({
        apiVersion: "x.io/v1",
        kind: owner.namespace === "" ? "Root" : "Widget",
        name: owner.name,
        uid: `${owner.namespace}.${owner.name}.1`,
        controller: owner.controller,
      })),
    },
  }));
const inventory = fc
  .record({
    name,
    id: fc.constantFrom("inv-1", "inv-2"),
    lines: fc.uniqueArray(fc.tuple(namespace, name), { maxLength: 4, size: "max", selector: String }),
  })
  .map((made): KubeObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: made.name, namespace: "one", uid: `cm.${made.name}`, labels: { [INVENTORY_ID]: made.id } },
    data: Object.fromEntries(made.lines.map(([there, listed]) => [`${there}_${listed}_x.io_Widget`, ""])),
  }));
const object = fc.oneof({ weight: 4, arbitrary: widget }, { weight: 1, arbitrary: inventory });
const selector: fc.Arbitrary<ScopeSelector> = fc.record(
  {
    namespaces: fc.constantFrom([], ["one"], ["two"], ["one", "two"]),
    labels: fc.constantFrom({ requirements: [{ key: "tier", operator: "In", values: ["x"] }] } as const, { requirements: [] }),
    inventory: fc.constantFrom({ tool: "cli-utils", name: "inv-1" } as const, { tool: "cli-utils", name: "inv-2" } as const),
  },
  { requiredKeys: [] },
);

/** One of each name: the last. */
function unique(objects: readonly KubeObject[]): KubeObject[] {
  return [...new Map(objects.map((each) => [`${each.kind}/${each.metadata.namespace ?? ""}/${each.metadata.name}`, each])).values()];
}

const world = fc.array(object, { maxLength: 20, size: "max" }).map(unique);

test("the order in which objects come does not matter", () => {
  fc.assert(
    fc.property(
      world.chain((objects) => fc.tuple(fc.constant(objects), fc.shuffledSubarray(objects, { minLength: objects.length }))),
      selector,
      ([objects, shuffled], requested) => {
        expect([...membersOf(buildGraph(shuffled), requested)]).toEqual([...membersOf(buildGraph(objects), requested)]);
        const access = [{ group: "x.io", kind: "Widget", access: "synced" }] as const;
        expect(missingEntriesOf(shuffled.length === 0 ? [] : buildGraph(shuffled).nodes(), access)).toEqual(
          missingEntriesOf(buildGraph(objects).nodes(), access),
        );
      },
    ),
    { numRuns: 100 },
  );
});

test("a generated member stands below a managed one, a managed one below none, and all that a member owns is a member", () => {
  fc.assert(
    fc.property(world, selector, (objects, requested) => {
      const graph = buildGraph(objects);
      const members = membersOf(graph, requested);
      for (const [id, membership] of members) {
        const above = graph.ancestorsOf(id).map((ancestor) => members.get(ancestor));
        expect(above.includes("managed")).toBe(membership === "generated");
        for (const below of graph.descendantsOf(id)) expect(members.get(below)).toBe("generated");
        expect(graph.node(id)?.presence).toBe("present");
      }
    }),
    { numRuns: 100 },
  );
});

test("every selected object is a member, and without an inventory no other is managed", () => {
  fc.assert(
    fc.property(world, fc.constantFrom("one", "two"), (objects, there) => {
      const members = membersOf(buildGraph(objects), { namespaces: [there] });
      for (const each of objects) {
        const membership = members.get(idOf(each));
        const isThere = each.metadata.namespace === there;
        expect(isThere ? membership !== undefined : membership !== "managed").toBe(true);
      }
    }),
    { numRuns: 100 },
  );
});

test("after every step of a history the index equals a new look, and names exactly who changed", () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: object.map((upsert) => ({ upsert })) },
    { weight: 1, arbitrary: fc.nat(9).map((remove) => ({ remove })) },
  );
  fc.assert(
    fc.property(
      fc.array(fc.array(step, { minLength: 1, maxLength: 4, size: "max" }), { maxLength: 15, size: "max" }),
      selector,
      (batches, requested) => {
        const graph = new ResourceGraph();
        const index = new ScopeIndex(requested);
        const known: KubeObject[] = [];
        let before: ReadonlyMap<string, string> = new Map();
        for (const batch of batches) {
          for (const each of batch) {
            if ("upsert" in each) {
              known.push(each.upsert);
              graph.upsert(each.upsert);
            } else {
              const victim = known[each.remove];
              if (victim !== undefined) graph.remove(idOf(victim));
            }
          }
          index.apply(graph.takeChanges());
          const after = membersOf(graph, requested);
          expect(new Map(index.members())).toEqual(after);
          const changed = [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id));
          expect(index.takeAffected()).toEqual(changed.sort());
          for (const id of changed) expect(index.membershipOf(id)).toBe(after.get(id));
          before = after;
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("what is missing is listed and not there; what is there is never missing", () => {
  fc.assert(
    fc.property(world, (objects) => {
      const nodes = buildGraph(objects).nodes();
      const missing = missingEntriesOf(nodes, [{ group: "x.io", kind: "Widget", access: "synced" }]);
      const there = new Set(objects.map((each) => `${each.kind}/${each.metadata.namespace ?? ""}/${each.metadata.name}`));
      const lines = objects.flatMap((each) => inventoriesOf(each));
      const expected = lines.filter(({ target }) => !there.has(`${target.kind}/${target.namespace}/${target.name}`));
      expect(missing).toHaveLength(expected.length);
      expect(missing).toEqual(expect.arrayContaining(expected));
    }),
    { numRuns: 100 },
  );
});

test("odd shapes are no marks and no inventories, and nothing is thrown or changed", () => {
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(fc.constantFrom("", "a", "a_b_c_d", "x:y/z:a/b"), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined)),
      fc.array(tie("json"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("inventory", "entries", "id", "resources", "kind", "name", "hook", "controller"), tie("json"), {
        maxKeys: 4,
      }),
    ),
  }));
  const kinds = fc.constantFrom(
    "v1 ConfigMap",
    "kpt.dev/v1 ResourceGroup",
    "kustomize.toolkit.fluxcd.io/v1 Kustomization",
    "argoproj.io/v1 Application",
  );
  const mark = fc.constantFrom(
    "argocd.argoproj.io/tracking-id",
    "config.k8s.io/owning-inventory",
    INVENTORY_ID,
    "app.kubernetes.io/instance",
  );
  const marks = fc.oneof(fc.dictionary(mark, json, { maxKeys: 3 }), json);
  fc.assert(
    fc.property(
      fc.record({ type: kinds, status: json, spec: json, data: json, labels: marks, annotations: marks, owners: json }),
      (odd) => {
        const [apiVersion = "", kind = ""] = odd.type.split(" ");
        const { status, spec, data, labels, annotations, owners } = odd;
        const value: unknown = {
          apiVersion,
          kind,
          metadata: { name: "n", labels, annotations, ownerReferences: owners },
          status,
          spec,
          data,
        };
        const copy = structuredClone(value);
        // Odd on purpose: only apiVersion, kind and name are promised.
        const oddObject = value as KubeObject;
        for (const entry of inventoriesOf(oddObject)) expect(typeof entry.target.name === "string" && entry.target.kind !== "").toBe(true);
        const manager = managerOf(oddObject);
        expect(manager === undefined || (typeof manager.name === "string" && manager.name !== "")).toBe(true);
        expect(value).toEqual(copy);
      },
    ),
    { numRuns: 100 },
  );
});
