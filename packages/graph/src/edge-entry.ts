import { findValue, forEachValue, withoutValue, withValue } from "./bag.ts";
import { isTreeClass } from "./edge-catalogue.ts";
import { addToLists, removeFromLists } from "./edge-lists.ts";
import type { EdgeClass, GraphEdge } from "./graph-model.ts";
import { signatureOf, type Reference } from "./reference.ts";
import { listOfWeights } from "./traffic-share.ts";
import type { BoundReference, EdgeEntry, Vertex } from "./vertex.ts";

/** References of a node, bound as before where they are the same: an update rebinds only what it changes. */
export function bindReferences(holder: Vertex, references: readonly Reference[], before: readonly BoundReference[] = []): BoundReference[] {
  if (before.length === 0) return references.map((reference) => bind(holder, reference));
  const known = new Map(before.map((bound) => [signatureOf(bound.reference), bound]));
  return references.map((reference) => known.get(signatureOf(reference)) ?? bind(holder, reference));
}

function bind(holder: Vertex, reference: Reference): BoundReference {
  return { holder, reference, targets: undefined, previous: undefined, next: undefined };
}

/** Id of a line. It is long, so that it is only made when needed. */
export function edgeIdOf({ from, row, to }: EdgeEntry): string {
  return `${from.id}|${row.kind}|${to.id}`;
}

/** The line that a reference draws to one of its targets, if it is drawn. */
export function edgeTo({ holder, reference }: BoundReference, target: Vertex): EdgeEntry | undefined {
  const { kind } = reference.row;
  return reference.details.inverse === true ? findEdge(target, kind, holder) : findEdge(holder, kind, target);
}

/** The line, if it is drawn. Of its two ends, the one with fewer lines is searched. */
export function findEdge(from: Vertex, kind: string, to: Vertex): EdgeEntry | undefined {
  const isOut = from.outCount <= to.intoCount;
  let edge = isOut ? from.out : to.into;
  while (edge !== undefined && (edge.to !== to || edge.from !== from || edge.row.kind !== kind))
    edge = isOut ? edge.nextOut : edge.nextInto;
  return edge;
}

/** Adds a reason for a line; draws it when it is the first. */
export function linkEdge(bound: BoundReference, target: Vertex): EdgeEntry {
  const { holder, reference } = bound;
  const known = edgeTo(bound, target);
  if (known !== undefined) {
    known.references = withValue(known.references, bound);
    return known;
  }
  const isInverse = reference.details.inverse === true;
  const from = isInverse ? target : holder;
  const to = isInverse ? holder : target;
  const edge: EdgeEntry = {
    from,
    to,
    row: reference.row,
    references: bound,
    isTouched: false,
    nextOut: undefined,
    previousOut: undefined,
    nextInto: undefined,
    previousInto: undefined,
  };
  addToLists(edge);
  return edge;
}

/** Takes a reason away; the line goes with the last one. */
export function unlinkEdge(bound: BoundReference, target: Vertex): EdgeEntry | undefined {
  const edge = edgeTo(bound, target);
  if (edge === undefined) return undefined;
  edge.references = withoutValue(edge.references, bound);
  const other = findValue(edge.references, () => true);
  if (other === undefined) removeFromLists(edge);
  else edge.row = other.reference.row;
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
  let [optional, refused] = [true, false];
  let ports: string[] | undefined;
  let ready: boolean | undefined;
  let weight: number | undefined;
  forEachValue(entry.references, ({ reference }) => {
    const { details } = reference;
    paths.add(reference.fieldPath);
    optional &&= reference.optional;
    refused ||= isRefused(reference);
    if (details.port !== undefined && lacksPort(to, details.port)) (ports ??= []).push(String(details.port));
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
    portMissing: ports !== undefined,
    ...(ports === undefined ? {} : { missingPorts: [...new Set(ports)].sort() }),
    ...(ready === undefined ? {} : { ready }),
    ...(weight === undefined ? {} : { weight, share: shareOf(entry) }),
  };
}

/** What comes to the target of the rule that gives it most; a rule may name it twice. */
function shareOf({ references }: EdgeEntry): number {
  const shares = new Map<string, number>();
  forEachValue(references, ({ reference }) => {
    const { share } = reference.details;
    if (share === undefined) return;
    const list = listOfWeights(reference);
    shares.set(list, (shares.get(list) ?? 0) + share);
  });
  return Math.min(1, Math.max(0, ...shares.values()));
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
