import type { BoundReference } from "./bound-reference.ts";
import { isFlowReversed, isTreeClass, type EdgeKind } from "./edge-catalogue.ts";
import type { EdgeClass, GraphEdge, Presence } from "./graph-model.ts";
import { MultiMap } from "./multi-map.ts";

/** Above this many lines a list would be slower than a Map. */
const LIST_LIMIT = 16;

/** One line and the references that draw it. */
export interface EdgeEntry {
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  /** A handful at most. */
  readonly references: BoundReference[];
  /** The change log has it already. */
  touched: boolean;
}

/** Id of a line. It is long, so that it is made only for those who ask. */
export function edgeIdOf({ from, kind, to }: EdgeEntry): string {
  return `${from}|${kind}|${to}`;
}

/** All lines, found by either end. One per (from, to, kind), however many fields say it. */
export class EdgeTable {
  /** By holder: a short list, or the lines by kind and target. */
  readonly #out = new Map<string, EdgeEntry[] | Map<string, EdgeEntry>>();
  readonly #in = new MultiMap<string, EdgeEntry>();

  /** Adds a reason for a line; draws it when it is the first. */
  link(bound: BoundReference, to: string): EdgeEntry {
    const { holder: from, reference } = bound;
    let edge = this.find(from, reference.kind, to);
    if (edge === undefined) {
      edge = { from, to, kind: reference.kind, references: [bound], touched: false };
      this.#add(edge);
      this.#in.add(to, edge);
    } else if (!edge.references.includes(bound)) edge.references.push(bound);
    return edge;
  }

  /** Takes a reason away; the line goes with the last one. */
  unlink(bound: BoundReference, to: string): EdgeEntry | undefined {
    const edge = this.find(bound.holder, bound.reference.kind, to);
    if (edge === undefined) return undefined;
    const at = edge.references.indexOf(bound);
    if (at >= 0) edge.references.splice(at, 1);
    if (edge.references.length > 0) return edge;
    this.#delete(edge);
    this.#in.delete(edge.to, edge);
    return edge;
  }

  /** The line, if it is drawn. */
  find(from: string, kind: EdgeKind, to: string): EdgeEntry | undefined {
    const out = this.#out.get(from);
    if (out === undefined) return undefined;
    if (out instanceof Map) return out.get(`${kind}|${to}`);
    for (const edge of out) if (edge.to === to && edge.kind === kind) return edge;
    return undefined;
  }

  /** All lines. */
  *all(): Iterable<EdgeEntry> {
    for (const out of this.#out.values()) yield* out.values();
  }

  /** Lines of references that the node holds; no line may come or go while they are walked. */
  outOf(id: string): readonly EdgeEntry[] {
    const out = this.#out.get(id);
    if (out === undefined) return [];
    return out instanceof Map ? [...out.values()] : out;
  }

  /** Lines of references that lead to the node. */
  into(id: string): readonly EdgeEntry[] {
    return this.#in.get(id);
  }

  /** Whether anybody refers to the node. */
  isReferenced(id: string): boolean {
    return this.#in.has(id);
  }

  #add(edge: EdgeEntry): void {
    const out = this.#out.get(edge.from);
    if (out === undefined) this.#out.set(edge.from, [edge]);
    else if (out instanceof Map) out.set(`${edge.kind}|${edge.to}`, edge);
    else if (out.length < LIST_LIMIT) out.push(edge);
    else this.#out.set(edge.from, new Map([...out, edge].map((each) => [`${each.kind}|${each.to}`, each])));
  }

  #delete(edge: EdgeEntry): void {
    const out = this.#out.get(edge.from);
    if (out instanceof Map) out.delete(`${edge.kind}|${edge.to}`);
    else out?.splice(out.indexOf(edge), 1);
    if (out !== undefined && (out instanceof Map ? out.size : out.length) === 0) this.#out.delete(edge.from);
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
  const { from, to, kind } = entry;
  return {
    id: edgeIdOf(entry),
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
