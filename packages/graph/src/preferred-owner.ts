import { forEachOut } from "./edge-lists.ts";
import { classOf, isControllerEdge, isTreeEdge } from "./edge-entry.ts";
import type { Vertex } from "./vertex.ts";

/** The owner of a node, before rings are cut: the controller first, then real owners, then the smallest id. */
export function preferredOwner(vertex: Vertex): Vertex | undefined {
  let best: { readonly rank: number; readonly to: Vertex } | undefined;
  forEachOut(vertex, (edge) => {
    const { to } = edge;
    if (!isTreeEdge(edge) || to.entry === undefined || to === vertex) return;
    const rank = isControllerEdge(edge) ? 0 : classOf(edge) === "owner" ? 1 : 2;
    if (best === undefined || rank < best.rank || (rank === best.rank && to.id < best.to.id)) best = { rank, to };
  });
  return best?.to;
}
