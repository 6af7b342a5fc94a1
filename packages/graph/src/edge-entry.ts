import { findValue, forEachValue, sizeOf, withoutValue, withValue } from "./bag.ts";
import { isTreeClass } from "./edge-catalogue.ts";
import type { EdgeClass, GraphEdge } from "./graph-model.ts";
import { signatureOf, type Reference } from "./reference.ts";
import type { BoundReference, EdgeEntry, Vertex } from "./vertex.ts";

/** References of a node, bound as before where they are the same: an update rebinds only what it changes. */
export function bindReferences(holder: Vertex, references: readonly Reference[], before: readonly BoundReference[] = []): BoundReference[] {
  if (before.length === 0) return references.map((reference) => ({ holder, reference, targets: undefined }));
  const known = new Map(before.map((bound) => [signatureOf(bound.reference), bound]));
  return references.map((reference) => known.get(signatureOf(reference)) ?? { holder, reference, targets: undefined });
}

/** Id of a line. It is long, so that it is made only for those who ask. */
export function edgeIdOf({ from, row, to }: EdgeEntry): string {
  return `${from.id}|${row.kind}|${to.id}`;
}

/** The line that a reference draws to one of its targets, if it is drawn. */
export function edgeTo({ holder, reference }: BoundReference, target: Vertex): EdgeEntry | undefined {
  const [from, to] = reference.details.inverse === true ? [target, holder] : [holder, target];
  return findEdge(from, reference.row.kind, to);
}

/** The line, if it is drawn. Of its two ends, the one with fewer lines is searched. */
export function findEdge(from: Vertex, kind: string, to: Vertex): EdgeEntry | undefined {
  if (sizeOf(from.out) <= sizeOf(to.into)) return findValue(from.out, (edge) => edge.to === to && edge.row.kind === kind);
  return findValue(to.into, (edge) => edge.from === from && edge.row.kind === kind);
}

/** Adds a reason for a line; draws it when it is the first. */
export function linkEdge(bound: BoundReference, target: Vertex): EdgeEntry {
  const { holder, reference } = bound;
  const known = edgeTo(bound, target);
  if (known !== undefined) {
    known.references = withValue(known.references, bound);
    return known;
  }
  const [from, to] = reference.details.inverse === true ? [target, holder] : [holder, target];
  const edge: EdgeEntry = { from, to, row: reference.row, references: bound, isTouched: false };
  from.out = withValue(from.out, edge);
  to.into = withValue(to.into, edge);
  return edge;
}

/** Takes a reason away; the line goes with the last one. */
export function unlinkEdge(bound: BoundReference, target: Vertex): EdgeEntry | undefined {
  const edge = edgeTo(bound, target);
  if (edge === undefined) return undefined;
  edge.references = withoutValue(edge.references, bound);
  const other = findValue(edge.references, () => true);
  if (other === undefined) {
    edge.from.out = withoutValue(edge.from.out, edge);
    edge.to.into = withoutValue(edge.to.into, edge);
  } else edge.row = other.reference.row;
  return edge;
}

/** What a line depends on besides its references. */
export interface EdgeSurroundings {
  readonly isMissing: (vertex: Vertex) => boolean;
  readonly isRefused: (reference: Reference) => boolean;
  readonly lacksPort: (vertex: Vertex, port: string | number) => boolean;
}

/** The line as others see it. */
export function edgeOf(entry: EdgeEntry, { isMissing, isRefused, lacksPort }: EdgeSurroundings): GraphEdge {
  const { from, to, row } = entry;
  const paths = new Set<string>();
  let [optional, refused, portMissing] = [true, false, false];
  let ready: boolean | undefined;
  let weight: number | undefined;
  forEachValue(entry.references, ({ reference }) => {
    const { details } = reference;
    paths.add(reference.fieldPath);
    optional &&= reference.optional;
    refused ||= isRefused(reference);
    portMissing ||= details.port !== undefined && lacksPort(to, details.port);
    if (details.ready !== undefined) ready = ready === true || details.ready;
    if (details.weight !== undefined) weight = Math.max(weight ?? 0, details.weight);
  });
  return {
    id: edgeIdOf(entry),
    from: from.id,
    to: to.id,
    kind: row.kind,
    class: classOf(entry),
    fieldPaths: [...paths].sort(),
    optional,
    missing: isMissing(to),
    flowReversed: row.flowReversed,
    refused,
    portMissing,
    ...(ready === undefined ? {} : { ready }),
    ...(weight === undefined ? {} : { weight }),
  };
}

/** Class of the line: a real owner is stronger than an inferred one. */
export function classOf(entry: EdgeEntry): EdgeClass {
  const { references, row } = entry;
  if (row.class !== "inferred-owner" && row.class !== "owner") return row.class;
  return findValue(references, isOwnerReference) === undefined ? "inferred-owner" : "owner";
}

/** Whether the line is one of the tree. */
export function isTreeEdge(entry: EdgeEntry): boolean {
  return isTreeClass(entry.row.class);
}

/** Whether a reference of the line names the controller. */
export function isControllerEdge(entry: EdgeEntry): boolean {
  return findValue(entry.references, isControllerReference) !== undefined;
}

function isOwnerReference({ reference }: BoundReference): boolean {
  return reference.row.class === "owner";
}

function isControllerReference({ reference }: BoundReference): boolean {
  return reference.details.controller === true;
}
