import { describe, expect, test } from "vitest";

import type { KubeObject } from "@binnacle/kube";

import type { CustomEdgeRule, NamingRule } from "./custom-edge-rule.ts";
import { parseCustomEdges } from "./custom-edges.ts";
import { ResourceGraph } from "./resource-graph.ts";

function object(kind: string, name: string, fields: Record<string, unknown> = {}): KubeObject {
  return { apiVersion: "x.io/v1", kind, metadata: { name, namespace: "env", uid: `${kind}-${name}` }, ...fields };
}

const rule: NamingRule = {
  id: "queue",
  from: { group: "x.io", kind: "Worker" },
  class: "target",
  path: "$.spec.queues[*]",
  to: { group: "x.io", kind: "Queue" },
};

function graphOf(rules: readonly CustomEdgeRule[], objects: readonly KubeObject[]): ResourceGraph {
  const graph = new ResourceGraph({ customEdges: rules });
  graph.setKindAccess({ group: "x.io", kind: "Queue", access: "synced" });
  for (const each of objects) graph.upsert(each);
  return graph;
}

function lines(rules: readonly CustomEdgeRule[], ...objects: KubeObject[]): string[] {
  return graphOf(rules, objects)
    .edges()
    .map(({ from, kind, to, fieldPaths }) => [from, kind, to, ...fieldPaths].join(" "));
}

const worker = object("Worker", "w", { spec: { queues: ["a", { name: "b", namespace: "far" }, { other: 1 }, 7, null, ""] } });

describe("an edge by a user's rule", () => {
  test("leads to each selected name, and object with a name", () => {
    expect(lines([rule], worker, object("Queue", "a"))).toEqual([
      "Worker-w custom:queue Queue-a spec.queues[0]",
      "Worker-w custom:queue x.io/Queue/far/b spec.queues[1]",
    ]);
  });

  test("has the class, the direction and the ghosts that the rule says", () => {
    const one = object("Worker", "w", { spec: { queues: ["a"] } });
    const [edge] = graphOf([{ ...rule, class: "inferred-owner", flowReversed: true }], [one]).edges();
    expect(edge).toMatchObject({ class: "inferred-owner", flowReversed: true, missing: true, optional: false });
    expect(graphOf([{ ...rule, optional: true }], [one]).nodes()).toHaveLength(1);
    const owned = graphOf([{ ...rule, class: "inferred-owner" }], [one, object("Queue", "a")]);
    expect(owned.node("Worker-w")?.ownerId).toBe("Queue-a");
  });

  test("looks in the namespace that the rule says", () => {
    const fields = { spec: { queues: ["a"], where: "far" } };
    const targets = ["same", "cluster", "$.spec.where", "$.spec.nowhere"].map((namespace) => {
      const [edge] = graphOf([{ ...rule, to: { ...rule.to, namespace } }], [object("Worker", "w", fields)]).edges();
      return edge?.to;
    });
    expect(targets).toEqual(["x.io/Queue/env/a", "x.io/Queue//a", "x.io/Queue/far/a", "x.io/Queue/env/a"]);
  });

  test("may filter", () => {
    const spec = {
      parts: [
        { kind: "queue", name: "a" },
        { kind: "topic", name: "b" },
      ],
    };
    const path = "$.spec.parts[?@.kind == 'queue'].name";
    expect(lines([{ ...rule, path }], object("Worker", "w", { spec }))).toEqual([
      "Worker-w custom:queue x.io/Queue/env/a spec.parts[0].name",
    ]);
  });

  test("reads only the kind of the rule", () => {
    expect(lines([rule], { ...worker, apiVersion: "y.io/v1" }, { ...worker, kind: "Other" })).toEqual([]);
  });

  test("comes and goes with the rules, as a difference", () => {
    const graph = graphOf([], [worker, object("Queue", "a")]);
    graph.takeChanges();
    graph.setCustomEdges([rule]);
    const changes = graph.takeChanges();
    expect(changes.upsertedEdges.map(({ kind, to }) => `${kind} ${to}`)).toEqual(["custom:queue Queue-a", "custom:queue x.io/Queue/far/b"]);
    graph.setCustomEdges([{ ...rule, class: "mount" }]);
    expect(graph.takeChanges()).toMatchObject({ upsertedEdges: [{ class: "mount" }, { class: "mount" }], removedEdges: [] });
    graph.setCustomEdges([]);
    expect(graph.takeChanges()).toMatchObject({ removedEdges: { length: 2 }, removedNodes: ["x.io/Queue/far/b"] });
    expect(graph.edges()).toEqual([]);
  });

  test("of a rule that is wrong is not drawn, and nothing throws", () => {
    expect(lines([{ ...rule, path: "queues" }], worker)).toEqual([]);
  });
});

describe("rules are refused", () => {
  const problems = (...changes: object[]) => parseCustomEdges(changes.map((change) => ({ ...rule, ...change }))).problems;

  test("with the rule, the field and how to fix it", () => {
    expect(problems({ path: ".spec.queues" })).toEqual([
      { rule: "queue", field: "path", message: 'must begin with "$": write "$.spec.name" for the field spec.name' },
    ]);
    expect(problems({ class: "uses" })[0]).toMatchObject({ field: "class", message: expect.stringContaining("must be one of owner,") });
    expect(problems({ id: "No Spaces" })[0]).toMatchObject({ rule: "No Spaces", field: "id" });
    expect(problems({ id: undefined })[0]).toMatchObject({ rule: "[0]", field: "id" });
    expect(problems({ from: { group: "x.io/v1", kind: "Worker" } })[0]).toMatchObject({ field: "from.group" });
    expect(problems({ to: { group: "x.io" } })[0]).toMatchObject({ field: "to.kind" });
    expect(problems({ to: { group: "x.io", kind: "Queue", namespace: "far" } })[0]).toMatchObject({
      field: "to.namespace",
      message: expect.stringContaining('or write "same" or "cluster"'),
    });
    expect(problems({ optional: "yes" })[0]).toMatchObject({ field: "optional", message: "must be true or false" });
    expect(problems({ optinal: true })[0]).toMatchObject({ field: "optinal", message: expect.stringContaining("is not known") });
    expect(problems({}, {})[0]).toMatchObject({ field: "id", message: expect.stringContaining("is taken") });
    expect(parseCustomEdges("queue").problems).toHaveLength(1);
    expect(parseCustomEdges([7]).problems[0]).toMatchObject({ rule: "[0]", field: "" });
  });

  test.each([
    ["$.spec.[", "is not JSONPath"],
    ["$..a..b", 'has ".." more than once'],
    ["$.a[?@..b]..c", 'has ".." more than once'],
    ["$['a','b']", "selects several things"],
    ["$.a[?@.b == $.c]", 'looks at "$" inside a filter'],
    ["$.a[?match(@.b, '(a+)+')]", "is not JSONPath"],
    [`$${".a".repeat(40)}`, "has more than 32 steps"],
    [`$.${"a".repeat(600)}`, "is longer than"],
  ])("where %s would be dear or is none", (path, message) => {
    expect(problems({ path })[0]?.message).toContain(message);
  });

  test("one by one: the others hold", () => {
    const { rules, problems: found } = parseCustomEdges([
      { ...rule, id: "good", optional: true },
      { ...rule, path: "" },
    ]);
    expect(rules).toEqual([{ ...rule, id: "good", optional: true }]);
    expect(found).toHaveLength(1);
  });
});

test("a path that selects very many places is cut off, and one into very deep objects ends", () => {
  const queues = Array.from({ length: 5_000 }, (_, index) => `q${index}`);
  expect(graphOf([rule], [object("Worker", "w", { spec: { queues } })]).edges()).toHaveLength(1_000);
  let deep: Record<string, unknown> = { name: "a" };
  for (let depth = 0; depth < 10_000; depth += 1) deep = { deeper: deep };
  expect(() => graphOf([{ ...rule, path: "$..name" }], [object("Worker", "w", { spec: deep })]).edges()).not.toThrow();
});
