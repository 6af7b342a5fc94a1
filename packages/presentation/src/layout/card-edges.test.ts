import { expect, test } from "vitest";
import { cardEdgesOf, sameCardEdge } from "./card-edges.ts";
import type { CardEdge } from "./card.ts";
import { foldGraph } from "./fold-graph.ts";
import type { InputEdge, InputNode } from "./graph-input.ts";
import { application, byId, edge, node } from "./testing.ts";

function linesOf(nodes: readonly InputNode[], edges: readonly InputEdge[]): readonly CardEdge[] {
  const folded = foldGraph(byId(nodes), byId(edges));
  return [...cardEdgesOf(folded, byId(nodes), byId(edges)).values()];
}

test("a Service points at its workload while the pods are folded", () => {
  const app = application("web", 8);
  const routes = linesOf(app.nodes, app.edges).filter((line) => line.style === "routes");
  expect(routes).toEqual([expect.objectContaining({ source: "Service/web", target: "Deployment/web", count: 8 })]);
});

test("a Service points at its pods while they are in sight", () => {
  const app = application("web", 2);
  const routes = linesOf(app.nodes, app.edges).filter((line) => line.style === "routes");
  expect(routes.map((line) => line.target)).toEqual(["Pod/web-1-0", "Pod/web-1-1"]);
});

test("what the whole workload uses is drawn once, from the workload", () => {
  const app = application("web", 3);
  const uses = linesOf(app.nodes, app.edges).filter((line) => line.style === "uses");
  expect(uses).toEqual([expect.objectContaining({ source: "Deployment/web", target: "ConfigMap/web-config", count: 4 })]);
});

test("pods of an EndpointSlice are reached from its Service", () => {
  const nodes = [node("Service", "db"), node("EndpointSlice", "db-1", { ownerId: "Service/db" }), node("Pod", "db-0")];
  const edges = [edge("Service/db", "EndpointSlice/db-1", "owns"), edge("EndpointSlice/db-1", "Pod/db-0", "routes")];
  expect(linesOf(nodes, edges).map((line) => line.id)).toEqual(["Service/db>EndpointSlice/db-1:owns", "Service/db>Pod/db-0:routes"]);
});

test("keeps at most five places of the references", () => {
  const app = application("web", 9);
  expect(Math.max(...linesOf(app.nodes, app.edges).map((line) => line.paths.length))).toBe(5);
});

test("W19: a line that is drawn in another style, for another number or with other paths is another line", () => {
  const line: CardEdge = { id: "a>b:uses", source: "a", target: "b", style: "uses", count: 1, paths: ["spec"], route: [0, 1, 0, 0.5] };
  expect(sameCardEdge(line, { ...line, paths: ["spec"] })).toBe(true);
  for (const change of [{ style: "dangling" as const }, { count: 2 }, { paths: [] }, { mark: "idle" as const }, { route: [0, 1, 1, 0.5] }])
    expect(sameCardEdge(line, { ...line, ...change })).toBe(false);
  expect(sameCardEdge(undefined, line)).toBe(false);
});
