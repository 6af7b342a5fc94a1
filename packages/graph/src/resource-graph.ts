import { encodeKey, keyOf, textAt, type KubeObject } from "@binnacle/kube";

import { findValue } from "./bag.ts";
import { ChangeLog } from "./change-log.ts";
import { contextOf, ghostsOf } from "./context.ts";
import type { CustomEdgeRule } from "./custom-edge-rule.ts";
import { CustomEdges } from "./custom-edges.ts";
import { bindReferences, edgeOf, findEdge, isTreeEdge, type EdgeSurroundings } from "./edge-entry.ts";
import { forEachInto, forEachOut } from "./edge-lists.ts";
import { isEvent, type EventTarget } from "./event-target.ts";
import type { GraphChanges, GraphEdge, GraphNode, KindAccessEntry, MissingReference, OwnerWarning, Presence } from "./graph-model.ts";
import { graphNodeOf } from "./graph-node.ts";
import { KindAccessTable } from "./kind-access.ts";
import { kindIdOf } from "./kind-id.ts";
import { labelledOf } from "./label-index.ts";
import { MultiMap } from "./multi-map.ts";
import { ancestorsOf, descendantsOf, OwnerForest, preferredOwner } from "./owner-forest.ts";
import { isReferenceGrant, ReferenceGrants } from "./reference-grants.ts";
import { tokenOf, uidToken } from "./name-target.ts";
import { referencesOf, tokensOf } from "./references-of.ts";
import { templateLabelsOf } from "./references/workload-references.ts";
import { byId, dependentsOf, objectsOf, relatedOf, type RelatedView } from "./related.ts";
import { lacksPort } from "./references/network-references.ts";
import { withShares } from "./traffic-share.ts";
import type { EdgeEntry, Entry, Vertex } from "./vertex.ts";
import { isForeignOwner, Wiring } from "./wiring.ts";

/** What a graph may be given besides objects. */
export interface ResourceGraphOptions {
  /** User-defined edges, as `parseCustomEdges` reads them. */
  readonly customEdges?: readonly CustomEdgeRule[];
}

/**
 * The dependency graph of a set of objects, kept up to date one object at a time. The result depends on the set, the access to
 * kinds and the user's rules, never on the order in which they came. Synchronous; every method is finite.
 */
export class ResourceGraph {
  readonly #log = new ChangeLog();
  readonly #wiring = new Wiring({
    touchNode: (vertex) => this.#log.touchNode(vertex),
    touchEdge: (edge) => this.#touchEdge(edge),
    ofKind: (kind) => this.#byKind.get(kind),
  });
  readonly #byKind = new MultiMap<string, Vertex>();
  readonly #forest = new OwnerForest();
  readonly #access = new KindAccessTable();
  readonly #grants = new ReferenceGrants();
  #custom: CustomEdges;
  /** New nodes whose references are resolved at the next read: of nodes in one batch, many come before what they name. */
  readonly #unled: Vertex[] = [];
  /** Nodes whose owner has to be chosen again; each once, by its mark. */
  readonly #unsettled: Vertex[] = [];
  readonly #view: RelatedView = {
    ofKind: (group, kind) => this.#byKind.get(`${group}/${kind}`),
    providersOf: (token) => this.#wiring.providersOf(token),
  };
  readonly #surroundings: EdgeSurroundings = {
    isMissing: (vertex) => this.#presenceOf(vertex) === "missing",
    isRefused: ({ details: { grant } }) => {
      if (grant === undefined || this.#grants.allows(grant)) return false;
      return this.#access.isComplete({ ...GRANT_KIND, namespace: grant.to.namespace });
    },
    lacksPort: ({ entry }, port) => entry !== undefined && entry.kind === "/Service" && lacksPort(entry.object, port),
  };

  constructor({ customEdges = [] }: ResourceGraphOptions = {}) {
    this.#custom = new CustomEdges(customEdges);
  }

  /**
   * Adds an object, or replaces what was known of it; one of the same name with another uid has replaced it. Events are no
   * nodes and are ignored: see {@link ResourceGraph.findTarget}.
   */
  upsert(object: KubeObject): void {
    if (isEvent(object)) return;
    const tokens = tokensOf(object);
    const id = idOf(object);
    const namesake = this.#wiring.providerOf(tokens[0]);
    if (namesake !== undefined && namesake.id !== id) this.#remove(namesake);

    // Not before: a namesake that refers to itself takes the ghost of its name with it, which has the id of an object without uid.
    const vertex = this.#wiring.vertexOf(id);
    const before = vertex.entry;
    if (before?.object === object) return;
    if (before !== undefined) this.#noteDependents(vertex);
    const entry = this.#entryOf(vertex, object, tokens);
    vertex.entry = entry;
    if (before?.kind !== entry.kind) {
      if (before !== undefined) this.#byKind.delete(before.kind, vertex);
      this.#byKind.add(entry.kind, vertex);
    }
    if (before === undefined) this.#touchPresence(vertex);
    else this.#log.touchNode(vertex);
    this.#replace(vertex, before, entry);
  }

  /**
   * Removes an object; references to it now lead to a ghost, or to nothing.
   *
   * @param idOrKey uid, or `group/kind/namespace/name`; one that is not known is ignored
   */
  remove(idOrKey: string): void {
    const vertex = this.#wiring.find(idOrKey);
    const [group = "", kind = "", namespace = "", ...name] = idOrKey.split("/");
    const found = vertex?.entry === undefined ? this.#wiring.providerOf({ group, kind, namespace, name: name.join("/") }) : vertex;
    if (found?.entry !== undefined) this.#remove(found);
  }

  /** Says how much of a kind is seen: it decides whether its ghosts are missing or not visible. */
  setKindAccess(entry: KindAccessEntry): void {
    this.#settle();
    const ghosts = [...this.#wiring.vertices()].filter(({ ghost }) => ghost?.kind === entry.kind && ghost.group === entry.group);
    this.#access.set(entry, () => ghosts.map(({ id }) => id));
    for (const ghost of ghosts) this.#touchPresence(ghost);
    if (entry.kind !== GRANT_KIND.kind || entry.group !== GRANT_KIND.group) return;
    for (const namespace of this.#wiring.namespacesThatGrant()) this.#touchGranted(namespace);
  }

  /** Replaces the user-defined edges. Rules that `parseCustomEdges` refuses draw nothing. */
  setCustomEdges(rules: readonly CustomEdgeRule[]): void {
    this.#settle();
    const before = this.#custom;
    this.#custom = new CustomEdges(rules);
    for (const kind of this.#byKind.keys()) {
      if (!before.reads(kind) && !this.#custom.reads(kind)) continue;
      for (const vertex of this.#byKind.get(kind)) {
        const old = vertex.entry;
        if (old === undefined) continue;
        const entry = this.#entryOf(vertex, old.object, old.tokens);
        vertex.entry = entry;
        this.#replace(vertex, old, entry);
      }
    }
  }

  /** A node, ghosts included. */
  node(id: string): GraphNode | undefined {
    this.#settle();
    const vertex = this.#wiring.find(id);
    return vertex === undefined ? undefined : this.#nodeOf(vertex);
  }

  /** All nodes, ghosts included, sorted by id. */
  nodes(): GraphNode[] {
    this.#settle();
    return [...this.#wiring.vertices()].sort(byId).flatMap((vertex) => this.#nodeOf(vertex) ?? []);
  }

  /** All edges, sorted by id. */
  edges(): GraphEdge[] {
    this.#settle();
    const edges: GraphEdge[] = [];
    for (const vertex of this.#wiring.vertices()) forEachOut(vertex, (edge) => void edges.push(edgeOf(edge, this.#surroundings)));
    return edges.sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  /** Edges from and to a node, sorted by id. */
  edgesOf(id: string): GraphEdge[] {
    this.#settle();
    const vertex = this.#wiring.find(id);
    if (vertex === undefined) return [];
    const entries = new Set<EdgeEntry>();
    forEachOut(vertex, (edge) => void entries.add(edge));
    forEachInto(vertex, (edge) => void entries.add(edge));
    return [...entries].map((edge) => edgeOf(edge, this.#surroundings)).sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  /** What changed since it was last called; what changed back is left out. */
  takeChanges(): GraphChanges {
    this.#settle();
    for (const vertex of this.#log.touchedNodes()) if (vertex.entry !== undefined) this.#noteDependents(vertex);
    return this.#log.take({
      node: (id) => this.node(id),
      edge: ({ from, row, to }) => {
        const entry = this.#edgeNow(from.id, row.kind, to.id);
        return entry === undefined ? undefined : edgeOf(entry, this.#surroundings);
      },
    });
  }

  /** Ids below a node in the ownership tree, nearest first. */
  descendantsOf(id: string): string[] {
    this.#settle();
    const vertex = this.#wiring.find(id);
    return vertex === undefined ? [] : descendantsOf(vertex).map((each) => each.id);
  }

  /** Ids above a node in the ownership tree, nearest first. */
  ancestorsOf(id: string): string[] {
    this.#settle();
    const vertex = this.#wiring.find(id);
    return vertex === undefined ? [] : ancestorsOf(vertex).map((each) => each.id);
  }

  /** Objects that the health of a node may look at (`related` of `@binnacle/health`), sorted by id; none for what is not there. */
  relatedOf(id: string): KubeObject[] {
    this.#settle();
    const vertex = this.#wiring.find(id);
    return vertex === undefined ? [] : relatedOf(vertex, this.#view);
  }

  /**
   * Objects that may explain the state of a node, without itself, sorted by id: what it owns, and one step from all of that to
   * what is mounted, routed to, selected, scaled, bound, or where it runs. At most 50 pods and 500 objects. Dearer than
   * {@link ResourceGraph.relatedOf}: for explanations.
   */
  contextOf(id: string): KubeObject[] {
    this.#settle();
    const vertex = this.#wiring.find(id);
    return vertex?.entry === undefined ? [] : objectsOf(contextOf(vertex));
  }

  /** Ghosts known to be missing that a node, or what it owns, refers to, sorted by id; owners do not count. */
  missingOf(id: string): GraphNode[] {
    this.#settle();
    const vertex = this.#wiring.find(id);
    if (vertex === undefined) return [];
    const ghosts = [...ghostsOf(vertex)].sort(byId).flatMap((ghost) => this.#nodeOf(ghost) ?? []);
    return ghosts.filter(({ presence }) => presence === "missing");
  }

  /** Id of the node that an Event is about; `undefined` when it is not there, or is another object of the same name. */
  findTarget({ key, uid }: EventTarget): string | undefined {
    const named = this.#wiring.providerOf(key);
    if (uid === "") return named?.id;
    const found = this.#wiring.providerOf(uidToken(uid));
    // An object without a uid can only be identified by its name.
    return found?.id ?? (named?.entry !== undefined && textAt(named.entry.object.metadata, "uid") === "" ? named.id : undefined);
  }

  /** Ghosts that are really missing and needed by something else than an owner reference. Sorted by id. */
  missingReferences(): MissingReference[] {
    this.#settle();
    const ghosts: Vertex[] = [];
    for (const vertex of this.#wiring.vertices()) if (this.#presenceOf(vertex) === "missing") ghosts.push(vertex);
    return ghosts.sort(byId).flatMap((ghost) => {
      const node = this.node(ghost.id);
      const holders = new Set<Vertex>();
      forEachInto(ghost, (edge) => void (isTreeEdge(edge) || holders.add(edge.from)));
      const referencedBy = [...holders].sort(byId).flatMap((holder) => this.#nodeOf(holder) ?? []);
      return node === undefined || referencedBy.length === 0 ? [] : [{ node, referencedBy }];
    });
  }

  /** Rings of owner references that had to be cut, as lists of ids. */
  ownerRings(): (readonly string[])[] {
    this.#settle();
    return this.#forest.rings().map(({ members }) => members.map(({ id }) => id));
  }

  /** Owner references that do not count: rings that had to be cut, and owners in another namespace, which Kubernetes ignores. */
  ownerWarnings(): OwnerWarning[] {
    this.#settle();
    const warnings = [...this.#wiring.vertices()].sort(byId).flatMap((vertex) => this.#ownerWarningsOf(vertex));
    return warnings.sort((left, right) => (left.ids.join(" ") < right.ids.join(" ") ? -1 : 1));
  }

  /** Owner references of a node that do not count; of a ring only the one that was cut. Cheap. */
  ownerWarningsOf(id: string): OwnerWarning[] {
    this.#settle();
    const vertex = this.#wiring.find(id);
    return vertex === undefined ? [] : this.#ownerWarningsOf(vertex);
  }

  #ownerWarningsOf(vertex: Vertex): OwnerWarning[] {
    const { id, entry, ring } = vertex;
    const warnings: OwnerWarning[] = [];
    if (ring?.cut === vertex) warnings.push({ problem: "ring", ids: ring.members.map((member) => member.id).sort() });
    for (const bound of entry?.references ?? []) {
      const { target, row } = bound.reference;
      if (target.by === "selector" || row.class !== "owner") continue;
      const owner = this.#wiring.providerOf(tokenOf(target));
      if (owner !== undefined && isForeignOwner(owner, bound)) warnings.push({ problem: "other-namespace", ids: [id, owner.id] });
    }
    return warnings;
  }

  #entryOf(vertex: Vertex, object: KubeObject, tokens: Entry["tokens"]): Entry {
    const kind = kindIdOf(object);
    const { namespace, labels } = object.metadata;
    const found = referencesOf(object);
    for (const reference of this.#custom.referencesOf(object)) found.push(reference);
    const template = templateLabelsOf(object) ?? this.#custom.templateLabelsOf(object);
    return {
      object,
      kind,
      tokens,
      references: bindReferences(vertex, withShares(found), vertex.entry?.references),
      pod: kind === "/Pod" ? labelledOf(namespace, labels) : undefined,
      workload: template === undefined ? undefined : labelledOf(namespace, template),
    };
  }

  /** Wires an object that has come, changed or gone. */
  #replace(vertex: Vertex, before: Entry | undefined, after: Entry | undefined): void {
    this.#wiring.provide(vertex, before?.tokens ?? [], after?.tokens ?? []);
    this.#wiring.relabel(vertex, before, after);
    if (before === undefined) this.#unled.push(vertex);
    else this.#wiring.rebind(before.references, after?.references ?? []);
    for (const object of [before?.object, after?.object]) {
      if (object === undefined || !isReferenceGrant(object)) continue;
      if (object === after?.object) this.#grants.set(vertex.id, object);
      else this.#grants.delete(vertex.id, object);
      this.#touchGranted(object.metadata.namespace ?? "");
    }
    if (before !== undefined && after?.kind === "/Service") this.#touchLinesWithPort(vertex);
    this.#unsettle(vertex);
  }

  #remove(vertex: Vertex): void {
    const before = vertex.entry;
    if (before === undefined) return;
    this.#noteDependents(vertex);
    vertex.entry = undefined;
    this.#byKind.delete(before.kind, vertex);
    this.#touchPresence(vertex);
    this.#replace(vertex, before, undefined);
    this.#wiring.drop(vertex);
  }

  #nodeOf(vertex: Vertex): GraphNode | undefined {
    return graphNodeOf(vertex, this.#presenceOf(vertex));
  }

  #presenceOf({ id, entry, ghost }: Vertex): Presence {
    if (entry !== undefined) return "present";
    return ghost !== undefined && this.#access.isMissing(id, ghost) ? "missing" : "not-visible";
  }

  #edgeNow(from: string, kind: string, to: string): EdgeEntry | undefined {
    const [holder, target] = [this.#wiring.find(from), this.#wiring.find(to)];
    return holder === undefined || target === undefined ? undefined : findEdge(holder, kind, target);
  }

  #touchEdge(edge: EdgeEntry): void {
    this.#log.touchEdge(edge);
    if (!isTreeEdge(edge)) return;
    this.#unsettle(edge.from);
    // An owner may have turned up in another namespace: the child has none as before, and is warned of.
    if (!edge.from.isTouched) this.#log.noteDependent(edge.from.id);
  }

  /** A node has come, gone, or turned out missing: lines to it look different, and children may have an owner or none. */
  #touchPresence(vertex: Vertex): void {
    this.#log.touchNode(vertex);
    forEachInto(vertex, (edge) => this.#touchEdge(edge));
  }

  /** Grants of a namespace have come or gone, or can be seen now. */
  #touchGranted(namespace: string): void {
    for (const edge of this.#wiring.edgesThatNeedGrants(namespace)) this.#log.touchEdge(edge);
  }

  #touchLinesWithPort(service: Vertex): void {
    forEachInto(service, (edge) => {
      if (findValue(edge.references, ({ reference }) => reference.details.port !== undefined)) this.#log.touchEdge(edge);
    });
  }

  #unsettle(vertex: Vertex): void {
    if (vertex.isUnsettled) return;
    vertex.isUnsettled = true;
    this.#unsettled.push(vertex);
  }

  /** Leads the references of new nodes, chooses owners again where something changed, and breaks the rings. */
  #settle(): void {
    for (const vertex of this.#unled) this.#wiring.rebind([], vertex.entry?.references ?? []);
    this.#unled.length = 0;
    if (this.#unsettled.length === 0) return;
    const changes: [Vertex, Vertex | undefined][] = [];
    for (const vertex of this.#unsettled) {
      vertex.isUnsettled = false;
      const preferred = preferredOwner(vertex);
      if (preferred === vertex.preferredOwner) continue;
      for (const ancestor of ancestorsOf(vertex)) this.#log.noteDependent(ancestor.id);
      changes.push([vertex, preferred]);
    }
    this.#unsettled.length = 0;
    for (const vertex of this.#forest.update(changes)) this.#log.touchNode(vertex);
  }

  #noteDependents(vertex: Vertex): void {
    this.#settle();
    for (const dependent of dependentsOf(vertex, this.#view)) this.#log.noteDependent(dependent.id);
  }
}

const GRANT_KIND = { group: "gateway.networking.k8s.io", kind: "ReferenceGrant" };

/** Id of the node of an object: its uid, else its name. */
export function idOf(object: KubeObject): string {
  return textAt(object.metadata, "uid") || encodeKey(keyOf(object));
}
