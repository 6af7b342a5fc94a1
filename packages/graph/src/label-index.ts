import type { Fields } from "@binnacle/kube";

import type { BoundReference } from "./bound-reference.ts";
import { matchesSelector, type LabelSelector } from "./label-selector.ts";
import { MultiMap } from "./multi-map.ts";

/** The labels of an object, and the posting lists that they belong to. */
export interface Labelled {
  readonly namespace: string;
  readonly labels: Fields;
  readonly postings: readonly string[];
}

/** Reads labels for the index. */
export function labelledOf(namespace: string, labels: Fields): Labelled {
  const postings: string[] = [];
  for (const key of Object.keys(labels)) {
    const value = labels[key];
    if (typeof value === "string") postings.push(postingOf(namespace, key, value));
  }
  return { namespace, labels, postings };
}

/**
 * Who matches whom: posting lists of labels per namespace, in both directions. A new selector looks at the shortest list of
 * its equalities, a new object at the selectors filed under its labels.
 */
export class LabelIndex {
  readonly #labelled = new Map<string, Labelled>();
  readonly #byLabel = new MultiMap<string, string>();
  readonly #byNamespace = new MultiMap<string, string>();
  readonly #selectorsByLabel = new MultiMap<string, BoundReference>();
  /** Selectors without an equality, by namespace: any object may match. */
  readonly #broad = new MultiMap<string, BoundReference>();

  /** Files an object under its labels. */
  addObject(id: string, labelled: Labelled): void {
    this.#labelled.set(id, labelled);
    this.#byNamespace.add(labelled.namespace, id);
    for (const posting of labelled.postings) this.#byLabel.add(posting, id);
  }

  /** Forgets an object. */
  removeObject(id: string): void {
    const labelled = this.#labelled.get(id);
    if (labelled === undefined) return;
    this.#labelled.delete(id);
    this.#byNamespace.delete(labelled.namespace, id);
    for (const posting of labelled.postings) this.#byLabel.delete(posting, id);
  }

  /** Files a selector; the reference must have one. */
  addSelector(bound: BoundReference): void {
    const target = bound.reference.target;
    if (target.by !== "selector") return;
    const postings = filedUnder(target.namespace, target.selector);
    if (postings === undefined) this.#broad.add(target.namespace, bound);
    else for (const posting of postings) this.#selectorsByLabel.add(posting, bound);
  }

  /** Forgets a selector. */
  removeSelector(bound: BoundReference): void {
    const target = bound.reference.target;
    if (target.by !== "selector") return;
    const postings = filedUnder(target.namespace, target.selector);
    if (postings === undefined) this.#broad.delete(target.namespace, bound);
    else for (const posting of postings) this.#selectorsByLabel.delete(posting, bound);
  }

  /** Objects that a selector matches. */
  objectsOf(namespace: string, selector: LabelSelector): string[] {
    const found: string[] = [];
    for (const id of this.#candidates(namespace, selector)) {
      const labelled = this.#labelled.get(id);
      if (labelled !== undefined && matchesSelector(selector, labelled.labels)) found.push(id);
    }
    return found;
  }

  /** Selectors that match an object with these labels. */
  selectorsFor({ namespace, labels, postings }: Labelled): Set<BoundReference> {
    const found = new Set<BoundReference>();
    const check = (bound: BoundReference): void => {
      const target = bound.reference.target;
      if (target.by === "selector" && matchesSelector(target.selector, labels)) found.add(bound);
    };
    this.#broad.forEach(namespace, check);
    for (const posting of postings) this.#selectorsByLabel.forEach(posting, check);
    return found;
  }

  /** The shortest list that every match is in. */
  #candidates(namespace: string, selector: LabelSelector): readonly string[] {
    let best: string[] | undefined;
    let least = Infinity;
    for (const { key, operator, values } of selector.requirements) {
      if (operator !== "In") continue;
      const postings = [...new Set(values)].map((value) => postingOf(namespace, key, value));
      const size = postings.reduce((sum, posting) => sum + this.#byLabel.count(posting), 0);
      if (size < least) [best, least] = [postings, size];
    }
    return best === undefined ? this.#byNamespace.get(namespace) : best.flatMap((posting) => this.#byLabel.get(posting));
  }
}

/** Postings of the first equality, which every match must be in; `undefined` when there is none. */
function filedUnder(namespace: string, selector: LabelSelector): string[] | undefined {
  const equality = selector.requirements.find(({ operator }) => operator === "In");
  return equality?.values.map((value) => postingOf(namespace, equality.key, value));
}

/** Neither namespaces nor label keys contain a space. */
function postingOf(namespace: string, key: string, value: string): string {
  return `${namespace} ${key} ${value}`;
}
