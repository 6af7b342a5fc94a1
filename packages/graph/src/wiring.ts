import { encodeKey } from "@binnacle/kube";

import { forEachValue, hasValue, isSeveral, valuesOf, withoutValue, withValue, type Bag } from "./bag.ts";
import { isTreeClass } from "./edge-catalogue.ts";
import { edgeTo, linkEdge, unlinkEdge } from "./edge-entry.ts";
import { sameLabels, type LabelIndex, labelledAs, LabelIndexes } from "./label-index.ts";
import { MultiMap } from "./multi-map.ts";
import { bareTokenOf, ghostOf, sameToken, tokenOf, type NameTarget, type Token } from "./name-target.ts";
import type { SelectorTarget } from "./reference.ts";
import { TokenTable } from "./token-table.ts";
import { type BoundReference, type EdgeEntry, type Entry, type Labelled, Vertex } from "./vertex.ts";

/** Notified of added and removed lines and ghosts; provides the objects. */
export interface WiringListener {
  readonly touchNode: (vertex: Vertex) => void;
  readonly touchEdge: (edge: EdgeEntry) => void;
  /** All objects of a kind (`group/kind`) that are there. */
  readonly ofKind: (kind: string) => readonly Vertex[];
}

/** Resolves every reference, and again whenever its target changes. Owns all nodes and lines. */
export class Wiring {
  readonly #vertices = new Map<string, Vertex>();
  readonly #tokens = new TokenTable();
  readonly #labels: LabelIndexes;
  /** References that need a grant, by the namespace that would give it. */
  readonly #demands = new MultiMap<string, BoundReference>();
  readonly #listener: WiringListener;

  constructor(listener: WiringListener) {
    this.#listener = listener;
    this.#labels = new LabelIndexes(listener.ofKind);
  }

  /** All nodes, ghosts included. */
  vertices(): Iterable<Vertex> {
    return this.#vertices.values();
  }

  /** The node of an id. */
  find(id: string): Vertex | undefined {
    return this.#vertices.get(id);
  }

  /** The node of an id; makes it when there is none. */
  vertexOf(id: string): Vertex {
    let vertex = this.#vertices.get(id);
    if (vertex === undefined) {
      vertex = new Vertex(id);
      this.#vertices.set(id, vertex);
    }
    return vertex;
  }

  /** Forgets a node that is neither there nor referred to. */
  drop(vertex: Vertex): void {
    if (vertex.entry !== undefined || vertex.into !== undefined) return;
    vertex.ghost = undefined;
    this.#vertices.delete(vertex.id);
  }

  /** Nodes that provide a token. */
  providersOf(token: Token): Bag<Vertex> {
    return this.#tokens.providersOf(token);
  }

  /** Any of the nodes that provide a token. */
  providerOf(token: Token): Vertex | undefined {
    return this.#tokens.providerOf(token);
  }

  /** Changes the tokens that a node provides, and updates all references to them. */
  provide(vertex: Vertex, before: readonly Token[], after: readonly Token[]): void {
    for (const token of before) if (!isAmong(after, token)) this.#leadAgain(this.#tokens.withdraw(token, vertex));
    for (const token of after) if (!isAmong(before, token)) this.#leadAgain(this.#tokens.provide(token, vertex));
  }

  /** Moves an object in the posting lists, and draws or takes away the lines of the selectors that see a difference. */
  relabel(vertex: Vertex, before: Entry | undefined, after: Entry | undefined): void {
    this.#relabel(vertex, this.#labels.pods, { before: before?.pod, after: after?.pod });
    this.#relabel(vertex, this.#labels.workloads, { before: before?.workload, after: after?.workload });
    for (const among of this.#labels.indexedKinds()) {
      const change = { before: labelledAs(among, before), after: labelledAs(among, after) };
      if (change.before !== undefined || change.after !== undefined) this.#relabel(vertex, this.#labels.of(among), change);
    }
  }

  #relabel(vertex: Vertex, index: LabelIndex, change: { before: Labelled | undefined; after: Labelled | undefined }): void {
    const { before, after } = change;
    if (sameLabels(before, after)) return;
    const lost = before === undefined ? [] : index.selectorsFor(before);
    const won = after === undefined ? [] : index.selectorsFor(after);
    if (before !== undefined) index.removeObject(vertex, before);
    if (after !== undefined) index.addObject(vertex, after);
    for (const bound of lost) if (!won.includes(bound)) this.#unlink(bound, vertex);
    for (const bound of won) this.#link(bound, vertex);
  }

  /** Binds the references that are new, and lets go of those that are no more. */
  rebind(before: readonly BoundReference[], after: readonly BoundReference[]): void {
    if (before.length === 0) {
      for (const bound of after) this.#bind(bound);
      return;
    }
    if (before.length === after.length && before.every((bound, index) => bound === after[index])) return;
    const [old, current] = [new Set(before), new Set(after)];
    for (const bound of current) if (!old.has(bound)) this.#bind(bound);
    for (const bound of old) if (!current.has(bound)) this.#unbind(bound);
  }

  /** Lines whose references need a grant of the namespace. */
  edgesThatNeedGrants(namespace: string): EdgeEntry[] {
    return this.#demands.get(namespace).flatMap((bound) => valuesOf(bound.targets).flatMap((target) => edgeTo(bound, target) ?? []));
  }

  /** Namespaces whose grants a reference needs. */
  namespacesThatGrant(): Iterable<string> {
    return this.#demands.keys();
  }

  #bind(bound: BoundReference): void {
    const { target, details } = bound.reference;
    if (details.grant !== undefined) this.#demands.add(details.grant.to.namespace, bound);
    if (target.by === "selector") {
      this.#labels.of(target.among).addSelector(bound, target);
      this.#retarget(bound, this.#selected(target));
      return;
    }
    if (details.unless !== undefined) this.#tokens.wantBesides(details.unless, bound);
    const providers = this.#tokens.want(tokenOf(target), bound);
    this.#retarget(bound, this.#led(bound, target, providers));
  }

  #unbind(bound: BoundReference): void {
    const { target, details } = bound.reference;
    if (target.by === "selector") this.#labels.of(target.among).removeSelector(bound, target);
    else {
      this.#tokens.unwant(tokenOf(target), bound);
      const bare = bareTokenOf(target);
      if (bare !== undefined) this.#tokens.unwantBesides(bare, bound);
      if (details.unless !== undefined) this.#tokens.unwantBesides(details.unless, bound);
    }
    if (details.grant !== undefined) this.#demands.delete(details.grant.to.namespace, bound);
    this.#retarget(bound, undefined);
  }

  #leadAgain(references: readonly BoundReference[]): void {
    for (const bound of references) {
      const { target } = bound.reference;
      if (target.by !== "selector") this.#retarget(bound, this.#led(bound, target, this.#tokens.providersOf(tokenOf(target))));
    }
  }

  #selected(target: SelectorTarget): Bag<Vertex> {
    const found = this.#labels.of(target.among).objectsOf(target);
    return found.length > 1 ? found : found[0];
  }

  /** Nodes that a reference by name leads to now; the ghost of what it names when there is none. */
  #led(bound: BoundReference, target: NameTarget, named: Bag<Vertex>): Bag<Vertex> {
    const { row, details } = bound.reference;
    if (details.unless !== undefined && this.#tokens.providersOf(details.unless) !== undefined) return undefined;
    let providers = named;
    // Almost all objects bear a uid: a reference waits for one without only where the one with is not there.
    const bare = providers === undefined ? bareTokenOf(target) : undefined;
    if (bare !== undefined) providers = this.#tokens.wantBesides(bare, bound);
    if (providers !== undefined) return isTreeClass(row.class) ? legalOwners(providers, bound) : providers;
    const key = ghostOf(target);
    if (key === undefined) return undefined;
    const ghost = this.vertexOf(encodeKey(key));
    ghost.ghost = key;
    return ghost;
  }

  #retarget(bound: BoundReference, targets: Bag<Vertex>): void {
    if (bound.targets === undefined) {
      // Those of a selector may be many: they are copied at once, because the caller may go on to change the Set.
      bound.targets = targets instanceof Set ? new Set(targets) : targets;
      if (isSeveral(targets)) for (const vertex of targets) this.#draw(bound, vertex);
      else if (targets !== undefined) this.#draw(bound, targets);
      return;
    }
    for (const vertex of valuesOf(bound.targets)) if (!hasValue(targets, vertex)) this.#unlink(bound, vertex);
    forEachValue(targets, (vertex) => this.#link(bound, vertex));
  }

  #link(bound: BoundReference, target: Vertex): void {
    if (hasValue(bound.targets, target)) return;
    bound.targets = withValue(bound.targets, target);
    this.#draw(bound, target);
  }

  #draw(bound: BoundReference, target: Vertex): void {
    this.#listener.touchEdge(linkEdge(bound, target));
    // A ghost has come, or its version may be another.
    if (target.entry === undefined) this.#listener.touchNode(target);
  }

  #unlink(bound: BoundReference, target: Vertex): void {
    if (!hasValue(bound.targets, target)) return;
    bound.targets = withoutValue(bound.targets, target);
    const edge = unlinkEdge(bound, target);
    if (edge !== undefined) this.#listener.touchEdge(edge);
    if (target.entry !== undefined) return;
    this.drop(target);
    this.#listener.touchNode(target);
  }
}

function isAmong(tokens: readonly Token[], token: Token): boolean {
  // Most objects are new, and had none: without a function that would be made each time.
  for (const each of tokens) if (sameToken(each, token)) return true;
  return false;
}

/** An owner in another namespace is none; an owner without a namespace may own anything; no object owns itself. */
function legalOwners(owners: Bag<Vertex>, bound: BoundReference): Bag<Vertex> {
  let legal = owners;
  for (const owner of valuesOf(owners)) {
    if (owner !== bound.holder && !isForeignOwner(owner, bound)) continue;
    // Those who provide a name stay as they are: what is taken away, is taken from a copy.
    if (legal === owners && legal instanceof Set) legal = new Set(legal);
    legal = withoutValue(legal, owner);
  }
  return legal;
}

/** Whether an owner reference leads into another namespace. */
export function isForeignOwner(owner: Vertex, { holder, reference }: Pick<BoundReference, "holder" | "reference">): boolean {
  if (reference.row.class !== "owner") return false;
  const namespace = owner.entry?.object.metadata.namespace ?? "";
  return namespace !== "" && namespace !== (holder.entry?.object.metadata.namespace ?? "");
}
