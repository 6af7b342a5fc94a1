import type { BoundReference } from "./bound-reference.ts";
import { isFlowReversed, isTreeClass, type EdgeKind } from "./edge-catalogue.ts";
import type { EdgeClass, GraphEdge, Presence } from "./graph-model.ts";
import { MultiMap } from "./multi-map.ts";

/** One line and the references that draw it. */
export interface EdgeEntry {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  /** A handful at most. */
  readonly references: BoundReference[];
}

/** All lines, found by either end. One per (from, to, kind), however many fields say it. */
export class EdgeTable {
  readonly #edges = new Map<string, EdgeEntry>();
  readonly #out = new MultiMap<string, EdgeEntry>();
  readonly #in = new MultiMap<string, EdgeEntry>();

  /** Adds a reason for a line; draws it when it is the first. */
  link(bound: BoundReference, to: string): EdgeEntry {
    const { holder: from, reference } = bound;
    const id = `${from}|${reference.kind}|${to}`;
    let edge = this.#edges.get(id);
    if (edge === undefined) {
      edge = { id, from, to, kind: reference.kind, references: [] };
      this.#edges.set(id, edge);
      this.#out.add(from, edge);
      this.#in.add(to, edge);
    }
    if (!edge.references.includes(bound)) edge.references.push(bound);
    return edge;
  }

  /** Takes a reason away; the line goes with the last one. */
  unlink(bound: BoundReference, to: string): EdgeEntry | undefined {
    const edge = this.#edges.get(`${bound.holder}|${bound.reference.kind}|${to}`);
    if (edge === undefined) return undefined;
    const at = edge.references.indexOf(bound);
    if (at >= 0) edge.references.splice(at, 1);
    if (edge.references.length > 0) return edge;
    this.#edges.delete(edge.id);
    this.#out.delete(edge.from, edge);
    this.#in.delete(edge.to, edge);
    return edge;
  }

  /** The line of an id, if it is drawn. */
  get(id: string): EdgeEntry | undefined {
    return this.#edges.get(id);
  }

  /** All lines. */
  all(): Iterable<EdgeEntry> {
    return this.#edges.values();
  }

  /** Lines of references that the node holds. */
  outOf(id: string): readonly EdgeEntry[] {
    return this.#out.get(id);
  }

  /** Lines of references that lead to the node. */
  into(id: string): readonly EdgeEntry[] {
    return this.#in.get(id);
  }

  /** Whether anybody refers to the node. */
  isReferenced(id: string): boolean {
    return this.#in.has(id);
  }
}

/** The line as others see it. */
export function edgeOf(entry: EdgeEntry, presence: Presence): GraphEdge {
  const paths = new Set<string>();
  let optional = true;
  for (const { reference } of entry.references) {
    paths.add(reference.fieldPath);
    optional &&= reference.optional;
  }
  const { id, from, to, kind } = entry;
  return {
    id,
    from,
    to,
    kind,
    class: classOf(entry),
    fieldPaths: [...paths].sort(),
    optional,
    missing: presence === "missing",
    flowReversed: isFlowReversed(kind),
  };
}

/** Class of the line: a real owner is stronger than an inferred one. */
export function classOf(entry: EdgeEntry): EdgeClass {
  let found: EdgeClass = "owner";
  for (const { reference } of entry.references) {
    if (reference.class === "owner") return "owner";
    found = reference.class;
  }
  return found;
}

/** Whether the line is one of the tree. */
export function isTreeEdge(entry: EdgeEntry): boolean {
  return isTreeClass(classOf(entry));
}

/** Whether a reference of the line names the controller. */
export function isControllerEdge(entry: EdgeEntry): boolean {
  for (const { reference } of entry.references) if (reference.controller) return true;
  return false;
}
