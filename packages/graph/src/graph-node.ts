import { keyOf, versionOf } from "@binnacle/kube";

import { forEachValue } from "./bag.ts";
import { forEachInto } from "./edge-lists.ts";
import type { GraphNode, Presence } from "./graph-model.ts";
import { parentOf } from "./owner-forest.ts";
import type { Vertex } from "./vertex.ts";

/** The node as others see it; `undefined` when it is neither there nor called for. */
export function graphNodeOf(vertex: Vertex, presence: Presence): GraphNode | undefined {
  const { id, entry, ghost } = vertex;
  if (entry === undefined) {
    if (ghost === undefined) return undefined;
    const { group, kind, namespace, name } = ghost;
    return { id, group, version: ghostVersion(vertex), kind, namespace, name, presence };
  }
  const { object } = entry;
  const { group, kind, namespace, name } = keyOf(object);
  const owner = parentOf(vertex);
  const parent = owner === undefined ? {} : { ownerId: owner.id };
  return { id, group, version: versionOf(object.apiVersion), kind, namespace, name, presence, object, ...parent };
}

/** Several references may name a ghost; the greatest version wins, so that their order does not matter. */
function ghostVersion(ghost: Vertex): string {
  let version = "";
  forEachInto(ghost, (edge) => {
    forEachValue(edge.references, ({ reference: { target } }) => {
      if ((target.by === "key" || target.by === "uid") && target.hasGhost && target.version > version) version = target.version;
    });
  });
  return version;
}
