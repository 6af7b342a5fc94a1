import { encodeKey, fieldsAt, groupOf, keyOf, textAt, versionOf, type KubeObject, type ObjectKey } from "@binnacle/kube";

import { addTarget, deleteTarget, targetsOf, type BoundReference } from "./bound-reference.ts";
import { classOf, edgeOf, EdgeTable, isControllerEdge, isTreeEdge, type EdgeEntry } from "./edge-table.ts";
import { ChangeLog } from "./change-log.ts";
import { isTreeClass } from "./edge-catalogue.ts";
import type { GraphChanges, GraphEdge, GraphNode, KindAccessEntry, MissingReference, Presence } from "./graph-model.ts";
import { KindAccessTable } from "./kind-access.ts";
import { labelledOf, LabelIndex, type Labelled } from "./label-index.ts";
import { MultiMap } from "./multi-map.ts";
import { OwnerForest } from "./owner-forest.ts";
import { definitionToken, signatureOf, type Reference } from "./reference.ts";
import { referencesOf, tokensOf } from "./references-of.ts";
import { dependentsOf, relatedOf, type RelatedView } from "./related.ts";

interface Entry {
  readonly object: KubeObject;
  /** `group/kind`. */
  readonly kind: string;
  readonly tokens: readonly string[];
  readonly references: readonly BoundReference[];
}

/**
 * The dependency graph of a set of objects, kept up to date one object at a time. The result depends on the set and on the
 * access to kinds, never on the order in which they came. One owner of all state; synchronous; every method is finite.
 */
export class ResourceGraph {
  readonly #entries = new Map<string, Entry>();
  readonly #ghosts = new Map<string, ObjectKey>();
  /** Token → nodes that provide it, and references that want it. */
  readonly #providers = new MultiMap<string, string>();
  readonly #wanted = new MultiMap<string, BoundReference>();
  readonly #byKind = new MultiMap<string, string>();
  readonly #labels = new LabelIndex();
  readonly #edges = new EdgeTable();
  readonly #forest = new OwnerForest();
  readonly #access = new KindAccessTable();
  readonly #log = new ChangeLog();
  /** Nodes whose owner has to be chosen again. */
  readonly #unsettled = new Set<string>();
  readonly #view: RelatedView = {
    objectOf: (id) => this.#entries.get(id)?.object,
    idsOfKind: (group, kind) => this.#byKind.get(`${group}/${kind}`),
    definitionsOf: (group, kind) => this.#providers.get(definitionToken(group, kind)),
    descendantsOf: (id) => this.#forest.descendantsOf(id),
    ancestorsOf: (id) => this.#forest.ancestorsOf(id),
    edges: this.#edges,
  };

  /** Adds an object, or replaces what was known of it; one of the same name with another uid has replaced it. */
  upsert(object: KubeObject): void {
    const id = idOf(object);
    const tokens = tokensOf(object);
    const key = tokens[0] ?? "";
    if (this.#providers.has(key)) for (const other of this.#providers.get(key)) if (other !== id) this.remove(other);

    const before = this.#entries.get(id);
    if (before?.object === object) return;
    if (before !== undefined) this.#noteDependents(id);
    const kind = kindKey(object);
    if (before !== undefined && before.kind !== kind) this.#byKind.delete(before.kind, id);
    const references = bindable(id, object, before?.references);
    this.#entries.set(id, { object, kind, tokens, references });
    this.#byKind.add(kind, id);
    if (before === undefined) this.#touchPresence(id);
    else this.#log.touchNode(id);

    this.#provide(id, before?.tokens ?? [], tokens);
    this.#relabel(id, before?.object, object);
    this.#rebind(before?.references ?? [], references);
    this.#unsettled.add(id);
  }

  /**
   * Removes an object; whoever refers to it now refers to a ghost, or to nothing.
   *
   * @param idOrKey uid, or `group/kind/namespace/name`; one that is not known is ignored
   */
  remove(idOrKey: string): void {
    const id = this.#entries.has(idOrKey) ? idOrKey : this.#providers.get(`key:${idOrKey}`)[0];
    const entry = id === undefined ? undefined : this.#entries.get(id);
    if (id === undefined || entry === undefined) return;
    this.#noteDependents(id);
    this.#entries.delete(id);
    this.#byKind.delete(entry.kind, id);
    this.#touchPresence(id);
    for (const bound of entry.references) this.#unbind(bound);
    this.#relabel(id, entry.object, undefined);
    this.#provide(id, entry.tokens, []);
    this.#unsettled.add(id);
  }

  /** Says how much of a kind is seen: it decides whether its ghosts are missing or not visible. */
  setKindAccess(entry: KindAccessEntry): void {
    this.#access.set(entry);
    for (const [id, ghost] of this.#ghosts) if (ghost.kind === entry.kind && ghost.group === entry.group) this.#touchPresence(id);
  }

  /** A node, ghosts included. */
  node(id: string): GraphNode | undefined {
    this.#settle();
    const entry = this.#entries.get(id);
    if (entry !== undefined) return this.#nodeOf(id, entry);
    const ghost = this.#ghosts.get(id);
    return ghost === undefined ? undefined : { id, ...ghost, version: this.#ghostVersion(id), presence: this.#presenceOf(id) };
  }

  /** All nodes, ghosts included, sorted by id. */
  nodes(): GraphNode[] {
    const ids = [...new Set([...this.#entries.keys(), ...this.#ghosts.keys()])].sort();
    return ids.flatMap((id) => this.node(id) ?? []);
  }

  /** All edges, sorted by id. */
  edges(): GraphEdge[] {
    const edges = [...this.#edges.all()].map((entry) => edgeOf(entry, this.#presenceOf(entry.to)));
    return edges.sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  /** Edges from and to a node, sorted by id. */
  edgesOf(id: string): GraphEdge[] {
    const entries = new Set([...this.#edges.outOf(id), ...this.#edges.into(id)]);
    return [...entries].map((entry) => edgeOf(entry, this.#presenceOf(entry.to))).sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  /** What changed since it was last called; what changed back is left out. */
  takeChanges(): GraphChanges {
    this.#settle();
    for (const id of this.#log.touchedNodes()) if (this.#entries.has(id)) this.#noteDependents(id);
    return this.#log.take({
      node: (id) => this.node(id),
      edge: ({ from, kind, to }) => {
        const entry = this.#edges.find(from, kind, to);
        return entry === undefined ? undefined : edgeOf(entry, this.#presenceOf(entry.to));
      },
    });
  }

  /** Ids below a node in the ownership tree, nearest first. */
  descendantsOf(id: string): string[] {
    this.#settle();
    return this.#forest.descendantsOf(id);
  }

  /** Ids above a node in the ownership tree, nearest first. */
  ancestorsOf(id: string): string[] {
    this.#settle();
    return this.#forest.ancestorsOf(id);
  }

  /** Objects that the health of a node may look at (`related` of `@binnacle/health`); empty for what is not there. */
  relatedOf(id: string): KubeObject[] {
    this.#settle();
    return relatedOf(id, this.#view);
  }

  /** Ghosts that are really missing and needed by something else than an owner reference. Sorted by id. */
  missingReferences(): MissingReference[] {
    const missing: MissingReference[] = [];
    for (const id of [...this.#ghosts.keys()].sort()) {
      const node = this.node(id);
      if (node?.presence !== "missing") continue;
      const holders = this.#edges
        .into(id)
        .filter((edge) => !isTreeEdge(edge))
        .map((edge) => edge.from);
      const referencedBy = [...new Set(holders)].sort().flatMap((holder) => this.node(holder) ?? []);
      if (referencedBy.length > 0) missing.push({ node, referencedBy });
    }
    return missing;
  }

  /** Rings of owner references that had to be cut, as lists of ids. */
  ownerRings(): (readonly string[])[] {
    this.#settle();
    return this.#forest.rings();
  }

  #nodeOf(id: string, { object }: Entry): GraphNode {
    const { group, kind, namespace, name } = keyOf(object);
    const ownerId = this.#forest.parentOf(id);
    const owner = ownerId === undefined ? {} : { ownerId };
    return { id, group, version: versionOf(object.apiVersion), kind, namespace, name, presence: "present", object, ...owner };
  }

  /** Several references may name a ghost; the greatest version wins, so that their order does not matter. */
  #ghostVersion(id: string): string {
    let version = "";
    for (const edge of this.#edges.into(id)) {
      for (const { reference } of edge.references) {
        const named = reference.target.by === "name" ? (reference.target.ghost?.version ?? "") : "";
        if (named > version) version = named;
      }
    }
    return version;
  }

  #presenceOf(id: string): Presence {
    if (this.#entries.has(id)) return "present";
    const ghost = this.#ghosts.get(id);
    return ghost !== undefined && this.#access.isComplete(ghost) ? "missing" : "not-visible";
  }

  /** Changes the tokens that a node provides, and leads everybody who wants one of them to the right place. */
  #provide(id: string, before: readonly string[], after: readonly string[]): void {
    const changed: BoundReference[] = [];
    const collect = (bound: BoundReference): void => void changed.push(bound);
    for (const token of before) {
      if (after.includes(token)) continue;
      this.#providers.delete(token, id);
      this.#wanted.forEach(token, collect);
    }
    for (const token of after) {
      if (before.includes(token)) continue;
      this.#providers.add(token, id);
      this.#wanted.forEach(token, collect);
    }
    // One that wants several of the tokens is led to the same place twice.
    for (const bound of changed) this.#retarget(bound, this.#resolve(bound));
  }

  /** Moves a pod in the posting lists, and draws or takes away the lines of the selectors that see a difference. */
  #relabel(id: string, before: KubeObject | undefined, after: KubeObject | undefined): void {
    const [old, now] = [selectable(before), selectable(after)];
    if (old === undefined && now === undefined) return;
    if (old !== undefined && now !== undefined && sameLabels(old.labels, now.labels)) return;
    const lost = old === undefined ? NO_REFERENCES : this.#labels.selectorsFor(old);
    const won = now === undefined ? NO_REFERENCES : this.#labels.selectorsFor(now);
    this.#labels.removeObject(id);
    if (now !== undefined) this.#labels.addObject(id, now);
    for (const bound of lost) if (!won.has(bound)) this.#unlink(bound, id);
    for (const bound of won) this.#link(bound, id);
  }

  /** Binds the references that are new, and lets go of those that are no more. */
  #rebind(before: readonly BoundReference[], after: readonly BoundReference[]): void {
    if (before.length === after.length && before.every((bound, index) => bound === after[index])) return;
    const [old, kept] = [new Set(before), new Set(after)];
    for (const bound of kept) if (!old.has(bound)) this.#bind(bound);
    for (const bound of old) if (!kept.has(bound)) this.#unbind(bound);
  }

  #bind(bound: BoundReference): void {
    const { target } = bound.reference;
    if (target.by === "selector") this.#labels.addSelector(bound);
    else for (const token of target.tokens) this.#wanted.add(token, bound);
    for (const to of this.#resolve(bound)) this.#link(bound, to);
  }

  #unbind(bound: BoundReference): void {
    const { target } = bound.reference;
    if (target.by === "selector") this.#labels.removeSelector(bound);
    else for (const token of target.tokens) this.#wanted.delete(token, bound);
    this.#retarget(bound, []);
  }

  /** Nodes that a reference leads to now; the ghost of what it names when nobody provides it. */
  #resolve({ holder, reference }: BoundReference): string[] {
    const { target } = reference;
    if (target.by === "selector") return this.#labels.objectsOf(target.namespace, target.selector);
    const provided = target.tokens.find((token) => this.#providers.has(token));
    if (provided !== undefined) return this.#providers.get(provided).filter((id) => this.#isLegal(holder, id, reference));
    if (target.ghost === undefined) return [];
    const { group, kind, namespace, name } = target.ghost;
    const id = encodeKey(target.ghost);
    this.#ghosts.set(id, { group, kind, namespace, name });
    return [id];
  }

  /** An owner in another namespace is none; an owner without a namespace may own anything. */
  #isLegal(holder: string, owner: string, reference: Reference): boolean {
    if (holder === owner && isTreeClass(reference.class)) return false;
    if (reference.class !== "owner") return true;
    const there = this.#entries.get(owner)?.object.metadata.namespace ?? "";
    return there === "" || there === (this.#entries.get(holder)?.object.metadata.namespace ?? "");
  }

  #retarget(bound: BoundReference, targets: readonly string[]): void {
    for (const id of targetsOf(bound)) if (!targets.includes(id)) this.#unlink(bound, id);
    for (const id of targets) this.#link(bound, id);
  }

  #link(bound: BoundReference, to: string): void {
    if (!addTarget(bound, to)) return;
    this.#touchEdge(this.#edges.link(bound, to), bound);
    if (!this.#entries.has(to)) this.#log.touchNode(to);
  }

  #unlink(bound: BoundReference, to: string): void {
    if (!deleteTarget(bound, to)) return;
    const edge = this.#edges.unlink(bound, to);
    if (edge !== undefined) this.#touchEdge(edge, bound);
    if (!this.#ghosts.has(to)) return;
    if (!this.#edges.isReferenced(to)) this.#ghosts.delete(to);
    this.#log.touchNode(to);
  }

  #touchEdge(edge: EdgeEntry, bound: BoundReference): void {
    this.#log.touchEdge(edge);
    if (isTreeClass(bound.reference.class)) this.#unsettled.add(edge.from);
  }

  /** A node has come, gone, or turned out missing: lines to it look different, and children may have an owner or none. */
  #touchPresence(id: string): void {
    this.#log.touchNode(id);
    for (const edge of this.#edges.into(id)) {
      this.#log.touchEdge(edge);
      if (isTreeEdge(edge)) this.#unsettled.add(edge.from);
    }
  }

  /** Chooses owners again where something changed, and breaks the rings. */
  #settle(): void {
    if (this.#unsettled.size === 0) return;
    const wishes = new Map<string, string | undefined>();
    for (const id of this.#unsettled) {
      wishes.set(id, this.#ownerWish(id));
      for (const ancestor of this.#forest.ancestorsOf(id)) this.#log.noteDependent(ancestor);
    }
    this.#unsettled.clear();
    for (const id of this.#forest.update(wishes)) this.#log.touchNode(id);
  }

  /** The owner of a node, before rings are cut: the controller first, then real owners, then the smallest id. */
  #ownerWish(id: string): string | undefined {
    let best: { readonly rank: number; readonly to: string } | undefined;
    for (const edge of this.#edges.outOf(id)) {
      if (!isTreeEdge(edge) || !this.#entries.has(edge.to) || edge.to === id) continue;
      const rank = isControllerEdge(edge) ? 0 : classOf(edge) === "owner" ? 1 : 2;
      if (best === undefined || rank < best.rank || (rank === best.rank && edge.to < best.to)) best = { rank, to: edge.to };
    }
    return best?.to;
  }

  #noteDependents(id: string): void {
    this.#settle();
    for (const dependent of dependentsOf(id, this.#view)) this.#log.noteDependent(dependent);
  }
}

/** The references of an object, bound as before where they are the same: an update rebinds only what it changes. */
function bindable(holder: string, object: KubeObject, before: readonly BoundReference[] = []): BoundReference[] {
  const references = referencesOf(object);
  if (before.length === 0) return references.map((reference) => ({ holder, reference, targets: undefined }));
  const known = new Map(before.map((bound) => [signatureOf(bound.reference), bound]));
  return references.map((reference) => known.get(signatureOf(reference)) ?? { holder, reference, targets: undefined });
}

const NO_REFERENCES: ReadonlySet<BoundReference> = new Set();

/** Id of the node of an object: its uid, else its name. */
export function idOf(object: KubeObject): string {
  return textAt(object.metadata, "uid") || encodeKey(keyOf(object));
}

function kindKey(object: KubeObject): string {
  return `${groupOf(object.apiVersion)}/${object.kind}`;
}

/** Pods are what selectors select. */
function selectable(object: KubeObject | undefined): Labelled | undefined {
  if (object === undefined || object.kind !== "Pod" || object.apiVersion !== "v1") return undefined;
  return labelledOf(object.metadata.namespace ?? "", fieldsAt(object.metadata, "labels"));
}

function sameLabels(left: Readonly<Record<string, unknown>>, right: Readonly<Record<string, unknown>>): boolean {
  if (left === right) return true;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === right[key]);
}
