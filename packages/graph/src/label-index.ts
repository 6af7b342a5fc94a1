import { isFields, type Fields } from "@binnacle/kube";

import { matchesSelector, type LabelSelector } from "./label-selector.ts";
import { MultiMap } from "./multi-map.ts";
import type { SelectorTarget, Among } from "./reference.ts";
import type { BoundReference, Labelled, Vertex, Entry } from "./vertex.ts";

/** Whether both are in the same lists. */
export function sameLabels(left: Labelled | undefined, right: Labelled | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  if (left.namespace !== right.namespace) return false;
  const keys = Object.keys(left.labels);
  return keys.length === Object.keys(right.labels).length && keys.every((key) => left.labels[key] === right.labels[key]);
}

/** Objects and selectors of one namespace. */
interface Space {
  readonly members: Map<Vertex, Fields>;
  /** Label key → value → objects; only of keys that a selector uses. */
  readonly postings: Map<string, MultiMap<string, Vertex>>;
  /** Label key → value → selectors filed there. */
  readonly selectors: Map<string, MultiMap<string, BoundReference>>;
  /** Selectors without an equality: any object may match. */
  readonly broad: Set<BoundReference>;
}

/**
 * Who matches whom: posting lists of labels per namespace, in both directions. A new selector looks at the shortest list of
 * its equalities, a new object at the selectors filed under its labels. A label is listed once a selector uses its
 * key: objects have many labels that no selector uses.
 */
export class LabelIndex {
  readonly #spaces = new Map<string, Space>();

  /** Files an object under its labels. */
  addObject(vertex: Vertex, { namespace, labels }: Labelled): void {
    const space = this.#spaceOf(namespace);
    space.members.set(vertex, labels);
    forEachListed(space.postings, labels, (posting, value) => posting.add(value, vertex));
  }

  /** Forgets an object; the labels must be those that it was filed with. */
  removeObject(vertex: Vertex, { namespace, labels }: Labelled): void {
    const space = this.#spaceOf(namespace);
    space.members.delete(vertex);
    forEachListed(space.postings, labels, (posting, value) => posting.delete(value, vertex));
  }

  /** Files a selector. */
  addSelector(bound: BoundReference, { namespace, selector }: SelectorTarget): void {
    const space = this.#spaceOf(namespace);
    const equality = equalityOf(selector);
    if (equality === undefined) {
      space.broad.add(bound);
      return;
    }
    const filed = space.selectors.get(equality.key) ?? new MultiMap<string, BoundReference>();
    space.selectors.set(equality.key, filed);
    for (const value of equality.values) filed.add(value, bound);
  }

  /** Forgets a selector. */
  removeSelector(bound: BoundReference, { namespace, selector }: SelectorTarget): void {
    const space = this.#spaceOf(namespace);
    const equality = equalityOf(selector);
    if (equality === undefined) space.broad.delete(bound);
    else for (const value of equality.values) space.selectors.get(equality.key)?.delete(value, bound);
  }

  /** Objects that a selector matches. */
  objectsOf({ namespace, selector }: SelectorTarget): Vertex[] {
    const space = this.#spaceOf(namespace);
    const found: Vertex[] = [];
    for (const vertex of candidates(space, selector)) {
      const labels = space.members.get(vertex);
      if (labels !== undefined && matchesSelector(selector, labels)) found.push(vertex);
    }
    return found;
  }

  /** Selectors that match an object with these labels. */
  selectorsFor({ namespace, labels }: Labelled): readonly BoundReference[] {
    const space = this.#spaceOf(namespace);
    if (space.selectors.size === 0 && space.broad.size === 0) return NOTHING;
    const found: BoundReference[] = [];
    const check = (bound: BoundReference): void => {
      const target = bound.reference.target;
      if (target.by === "selector" && matchesSelector(target.selector, labels)) found.push(bound);
    };
    space.broad.forEach(check);
    forEachListed(space.selectors, labels, (filed, value) => filed.forEach(value, check));
    return found;
  }

  #spaceOf(namespace: string): Space {
    let space = this.#spaces.get(namespace);
    if (space === undefined) {
      space = { members: new Map(), postings: new Map(), selectors: new Map(), broad: new Set() };
      this.#spaces.set(namespace, space);
    }
    return space;
  }
}

/** Calls `visit` for each label whose key has a list. */
function forEachListed<L>(lists: ReadonlyMap<string, L>, labels: Fields, visit: (list: L, value: string) => void): void {
  if (lists.size === 0) return;
  for (const key in labels) {
    const value = labels[key];
    const list = typeof value === "string" && Object.hasOwn(labels, key) ? lists.get(key) : undefined;
    if (list !== undefined && typeof value === "string") visit(list, value);
  }
}

/** The shortest list that every match is in. */
function candidates(space: Space, selector: LabelSelector): Iterable<Vertex> {
  let best: { readonly posting: MultiMap<string, Vertex>; readonly values: readonly string[] } | undefined;
  let least = Infinity;
  for (const { key, operator, values } of selector.requirements) {
    if (operator !== "In") continue;
    const posting = postingOf(space, key);
    const distinct = [...new Set(values)];
    const size = distinct.reduce((sum, value) => sum + posting.count(value), 0);
    if (size < least) [best, least] = [{ posting, values: distinct }, size];
  }
  return best === undefined ? space.members.keys() : best.values.flatMap((value) => best.posting.get(value));
}

/** The lists of a label key; made from all objects when a selector first uses the key. */
function postingOf(space: Space, key: string): MultiMap<string, Vertex> {
  const known = space.postings.get(key);
  if (known !== undefined) return known;
  const posting = new MultiMap<string, Vertex>();
  space.postings.set(key, posting);
  for (const [vertex, labels] of space.members) {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (typeof value === "string") posting.add(value, vertex);
  }
  return posting;
}

/** The equality that a selector is filed under: every match has one of its values. */
function equalityOf(selector: LabelSelector): { readonly key: string; readonly values: readonly string[] } | undefined {
  return selector.requirements.find(({ operator }) => operator === "In");
}

/** Labels of a pod, or of the pods that a workload makes. */
export function labelledOf(namespace: string | undefined, labels: unknown): Labelled {
  return { namespace: namespace ?? "", labels: isFields(labels) ? labels : NO_LABELS };
}

const NOTHING: readonly never[] = Object.freeze([]);

const NO_LABELS: Fields = Object.freeze({});

/** Indexes by labels: of pods, of workloads by their templates, and of other kinds once a selector needs them. */
export class LabelIndexes {
  readonly pods = new LabelIndex();
  readonly workloads = new LabelIndex();
  readonly #others = new Map<Among, LabelIndex>();
  readonly #indexed: Among[] = [];
  readonly #ofKind: (kind: string) => readonly Vertex[];

  constructor(ofKind: (kind: string) => readonly Vertex[]) {
    this.#ofKind = ofKind;
  }

  /** The index of those; the first time it is made of all that are there. Rules name the kinds, so there are few. */
  of(among: Among): LabelIndex {
    if (among === "pods" || among === "workloads") return this[among];
    const known = this.#others.get(among);
    if (known !== undefined) return known;
    const made = new LabelIndex();
    this.#others.set(among, made);
    this.#indexed.push(among);
    for (const vertex of this.#ofKind(among.slice(among.indexOf(":") + 1))) {
      const labelled = labelledAs(among, vertex.entry);
      if (labelled !== undefined) made.addObject(vertex, labelled);
    }
    return made;
  }

  /** Kinds that have an index besides pods and workloads. */
  indexedKinds(): readonly Among[] {
    return this.#indexed;
  }
}

/** The labels by which an object is selected among those; `undefined` when it is none of them. */
export function labelledAs(among: Among, entry: Entry | undefined): Labelled | undefined {
  // Called for every object: no text is allocated.
  if (entry === undefined || !among.endsWith(entry.kind)) return undefined;
  const form = among.length - entry.kind.length;
  const { namespace, labels } = entry.object.metadata;
  if (form === "in:".length && among.startsWith("in:")) return labelledOf(namespace, labels);
  return form === "any:".length && among.startsWith("any:") ? labelledOf("", labels) : undefined;
}
