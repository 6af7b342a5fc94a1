import type { EdgeEntry, Vertex } from "./vertex.ts";

/*
 * Every line stands in two lists, that of the node it comes from and that of the node it leads to. The lines themselves are the
 * links of both: a list costs nothing besides, however long it is, and to leave it costs nothing either.
 */

/** Puts a new line into the lists of its ends. */
export function addToLists(edge: EdgeEntry): void {
  const { from, to } = edge;
  edge.nextOut = from.out;
  if (from.out !== undefined) from.out.previousOut = edge;
  from.out = edge;
  from.outCount += 1;
  edge.nextInto = to.into;
  if (to.into !== undefined) to.into.previousInto = edge;
  to.into = edge;
  to.intoCount += 1;
}

/** Takes a line out of the lists of its ends. */
export function removeFromLists(edge: EdgeEntry): void {
  const { from, to, nextOut, previousOut, nextInto, previousInto } = edge;
  if (previousOut === undefined) from.out = nextOut;
  else previousOut.nextOut = nextOut;
  if (nextOut !== undefined) nextOut.previousOut = previousOut;
  from.outCount -= 1;
  if (previousInto === undefined) to.into = nextInto;
  else previousInto.nextInto = nextInto;
  if (nextInto !== undefined) nextInto.previousInto = previousInto;
  to.intoCount -= 1;
}

/** Calls `visit` for each line of the references that a node holds; it must not draw or take away lines. */
export function forEachOut({ out }: Vertex, visit: (edge: EdgeEntry) => void): void {
  for (let edge = out; edge !== undefined; edge = edge.nextOut) visit(edge);
}

/** Calls `visit` for each line that leads to a node; it must not draw or take away lines. */
export function forEachInto({ into }: Vertex, visit: (edge: EdgeEntry) => void): void {
  for (let edge = into; edge !== undefined; edge = edge.nextInto) visit(edge);
}
