import { describe, expect, test } from "vitest";

import { projectObject, type KubeObject } from "@binnacle/kube";

import { readPackFiles, type PackWorld } from "../dev/pack-file.ts";
import { buildGraph } from "./build-graph.ts";
import type { GraphEdge, GraphNode } from "./graph-model.ts";
import { EDGE_PACKS } from "./packs/edge-packs.ts";
import type { ResourceGraph } from "./resource-graph.ts";
import { packObject } from "./testing/pack-objects.ts";

const files = readPackFiles();
const RULES = EDGE_PACKS.flatMap(({ rules }) => rules);

function labelOf(node: GraphNode | undefined): string {
  const namespace = node === undefined || node.namespace === "env" || node.namespace === "" ? "" : `${node.namespace}/`;
  return `${node?.kind}/${namespace}${node?.name}`;
}

function textOf(edge: GraphEdge, graph: ResourceGraph): string {
  const to = graph.node(edge.to);
  const words = [labelOf(graph.node(edge.from)), edge.kind, labelOf(to)];
  if (to?.presence !== "present") words.push(String(to?.presence));
  if (edge.portMissing) words.push("port-missing");
  if (edge.weight !== undefined) words.push(`weight=${edge.weight}`);
  return words.join(" ");
}

function accessOf({ synced = [] }: PackWorld) {
  return synced.map((id) => ({ group: id.slice(0, id.indexOf("/")), kind: id.slice(id.indexOf("/") + 1), access: "synced" as const }));
}

/** What packs add to what the catalogue draws. */
function addedBy(world: PackWorld, objects: readonly KubeObject[]): string[] {
  const [with_, without] = [RULES, []].map((rules) => {
    const graph = buildGraph(objects, accessOf(world), rules);
    return graph.edges().map((edge) => textOf(edge, graph));
  });
  return (with_ ?? []).filter((line) => !without?.includes(line)).toSorted();
}

describe.each(files)("the pack $pack.name", ({ pack, worlds }) => {
  // Titles are those that planted faults name: `$title` would cut them short.
  test.each(worlds.map((world) => [world.title, world] as const))("%s", (_title, world) => {
    const objects = world.objects.map(packObject);
    const expected = world.edges.toSorted();
    expect(addedBy(world, objects)).toEqual(expected);
    // And reads nothing that views leave out.
    expect(
      addedBy(
        world,
        objects.map((object) => projectObject(object)),
      ),
    ).toEqual(expected);
  });

  test("draws every one of its edges in a world, and has a world where less is drawn than stands there", () => {
    const drawn = new Set(worlds.flatMap(({ edges }) => edges.map((line) => line.split(" ")[1] ?? "")));
    const ids = pack.rules.flatMap((rule) => ("podTemplate" in rule ? [] : [`${pack.name}:${rule.id}`]));
    const seldom = [...new Set(ids)].filter((id) => !drawn.has(id));
    expect(seldom).toEqual([]);
    expect(worlds.some(({ edges }) => edges.length < 2)).toBe(true);
  });
});
