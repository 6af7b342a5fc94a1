import type { KubeObject } from "@binnacle/kube";
import { expect, test } from "vitest";

import { buildGraph } from "./build-graph.ts";
import { ResourceGraph } from "./resource-graph.ts";

function route(rules: readonly (readonly object[])[]): KubeObject {
  const spec = { rules: rules.map((backendRefs) => ({ backendRefs })) };
  return { apiVersion: "gateway.networking.k8s.io/v1", kind: "HTTPRoute", metadata: { name: "r", namespace: "env", uid: "r" }, spec };
}

function service(name: string, ports: readonly object[] = []): KubeObject {
  return { apiVersion: "v1", kind: "Service", metadata: { name, namespace: "env", uid: name }, spec: { ports } };
}

function sharesOf(rules: readonly (readonly object[])[]): Record<string, readonly [number | undefined, number | undefined]> {
  const edges = buildGraph([route(rules), service("a"), service("b")]).edges();
  return Object.fromEntries(edges.map(({ to, weight, share }) => [to, [weight, share]]));
}

test("W20: a backend's share is its weight beside the others of its rule, in the rule that gives it most", () => {
  const [a, b] = [{ name: "a" }, { name: "b" }];
  expect(sharesOf([[{ ...a, weight: 9 }, b]])).toEqual({ a: [9, 0.9], b: [1, 0.1] });
  const twice = [
    { ...a, weight: 1 },
    { ...b, weight: 3 },
  ];
  expect(
    sharesOf([
      [
        { ...a, weight: 500 },
        { ...b, weight: 500 },
      ],
      twice,
    ]),
  ).toEqual({ a: [500, 0.5], b: [500, 0.75] });
  expect(sharesOf([[{ ...a, weight: 0 }, b]])).toEqual({ a: [0, 0], b: [1, 1] });
});

test("a Service that one rule names twice has both shares; weights of no sense are no traffic", () => {
  const split = [
    { name: "a", weight: 30, port: 1 },
    { name: "a", weight: 60, port: 2 },
    { name: "b", weight: 10 },
  ];
  expect(sharesOf([split])["a"]?.[1]).toBeCloseTo(0.9);
  for (const weight of [-5, 0])
    expect(
      sharesOf([
        [
          { name: "a", weight },
          { name: "b", weight },
        ],
      ])["a"]?.[1],
    ).toBe(0);
  expect(
    sharesOf([
      [
        { name: "a", weight: 1e308 },
        { name: "b", weight: 1e300 },
      ],
    ])["b"]?.[1],
  ).toBe(0.5);
});

test("the weight of one backend is news of the share of the other", () => {
  const graph = new ResourceGraph();
  const [a, b] = [{ name: "a" }, { name: "b" }];
  for (const object of [service("a"), service("b"), route([[a, b]])]) graph.upsert(object);
  graph.takeChanges();
  graph.upsert(route([[a, { ...b, weight: 3 }]]));
  expect(graph.takeChanges().upsertedEdges).toMatchObject([
    { to: "a", weight: 1, share: 0.25 },
    { to: "b", weight: 3, share: 0.75 },
  ]);
});

test("W20: a line names the ports that the Service does not have, and says so when another one is missing", () => {
  const graph = new ResourceGraph();
  const ask = (...ports: number[]): KubeObject => route([ports.map((port) => ({ name: "a", port }))]);
  graph.upsert(service("a", [{ port: 80 }]));
  graph.upsert(ask(80, 8080, 9090));
  expect(graph.takeChanges().upsertedEdges).toMatchObject([{ portMissing: true, missingPorts: ["8080", "9090"] }]);
  graph.upsert(ask(80, 8080));
  expect(graph.takeChanges().upsertedEdges).toMatchObject([{ missingPorts: ["8080"] }]);
  graph.upsert(ask(80, 8081));
  expect(graph.takeChanges().upsertedEdges).toMatchObject([{ missingPorts: ["8081"] }]);
  graph.upsert(ask(80, 80));
  const [edge] = graph.takeChanges().upsertedEdges;
  expect([edge?.portMissing, edge?.missingPorts]).toEqual([false, undefined]);
});
