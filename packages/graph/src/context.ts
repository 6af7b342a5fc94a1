import { forEachInto, forEachOut } from "./edge-lists.ts";
import type { EdgeClass } from "./graph-model.ts";
import { descendantsOf } from "./owner-forest.ts";
import { byId } from "./related.ts";
import type { Vertex } from "./vertex.ts";

/** Of a workload with thousands of pods, a few are enough: they all come from the same template. */
const MAX_PODS = 50;

/** Objects of one context; more would not be read. */
const MAX_OBJECTS = 500;

/** Lines along which trouble comes: what is mounted, routed to, selected, scaled, bound, and where it runs. */
const FOLLOWED: ReadonlySet<EdgeClass> = new Set<EdgeClass>(["mount", "route", "select", "target", "place", "bind"]);

/** The node itself and what it owns, at most {@link MAX_PODS} pods of it. */
function bodyOf(vertex: Vertex): Vertex[] {
  return [vertex, ...bounded(descendantsOf(vertex))];
}

/**
 * What may explain the state of a node, without the node: what it owns, and one step from all of that along lines that trouble
 * comes along. A Service also has the slices that lead to it. At most {@link MAX_OBJECTS}, and {@link MAX_PODS} pods.
 */
export function contextOf(vertex: Vertex): Vertex[] {
  const body = bodyOf(vertex);
  const found = new Set(body);
  for (const each of body) {
    forEachOut(each, ({ row, to }) => {
      if (FOLLOWED.has(row.class)) found.add(to);
    });
    forEachInto(each, ({ row, from }) => {
      if (row.kind === "slice-service") found.add(from);
    });
  }
  found.delete(vertex);
  return bounded(found);
}

/** The first of the nodes that are there, by id: which ones must not depend on the order in which they came. */
function bounded(vertices: Iterable<Vertex>): Vertex[] {
  let pods = 0;
  const within: Vertex[] = [];
  for (const each of [...vertices].sort(byId)) {
    if (each.entry === undefined || within.length >= MAX_OBJECTS) continue;
    if (each.entry.kind === "/Pod") pods += 1;
    if (each.entry.kind !== "/Pod" || pods <= MAX_PODS) within.push(each);
  }
  return within;
}

/** Ghosts that the node or what it owns refers to; who its owner was does not count. */
export function ghostsOf(vertex: Vertex): Set<Vertex> {
  const ghosts = new Set<Vertex>();
  for (const each of bodyOf(vertex)) {
    forEachOut(each, ({ row, to }) => {
      if (to.entry === undefined && row.class !== "owner" && row.class !== "inferred-owner") ghosts.add(to);
    });
  }
  return ghosts;
}
