import { create } from "@bufbuild/protobuf";
import { DeltaSchema, type Delta } from "@binnacle/proto/dashboard";
import type { NodeOptions, World } from "./world.ts";

/** A change in a made-up cluster while a page is open. Ids are those of `World`: "pod:web-1". */
export interface WorldChange {
  /** New, or in place of those of that kind and name. */
  readonly nodes?: readonly (NodeOptions & { readonly kind: string; readonly name: string })[];
  readonly gone?: readonly string[];
}

/** Makes it so, and gives what a stream says of it. */
export function changeWorld(world: World, { nodes = [], gone = [] }: WorldChange): Delta {
  const removedNodes = gone.flatMap((id) => world.nodes.get(id)?.id ?? []);
  const left = [...world.edges].filter(([, edge]) => removedNodes.includes(edge.from) || removedNodes.includes(edge.to));
  for (const id of gone) world.nodes.delete(id);
  for (const [id] of left) world.edges.delete(id);
  const known = new Set(world.edges.values());
  const ids = nodes.map(({ kind, name, ...options }) => world.node(kind, name, options));
  return create(DeltaSchema, {
    removedNodes,
    removedEdges: left.map(([, { id }]) => id),
    upsertedNodes: ids.flatMap((id) => world.nodes.get(id) ?? []),
    upsertedEdges: [...world.edges.values()].filter((edge) => !known.has(edge)),
  });
}
