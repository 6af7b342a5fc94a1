import type { Delta, Header, Problem, ResourceRef, Snapshot, Source, WatchEnvironmentResponse } from "@binnacle/proto/dashboard";
import { ConnectionState, ProblemKind, SettledState } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../../ui/format-time.ts";
import type { ChangeCursor } from "./change-cursors.ts";
import { connectionAfter } from "./connection-after.ts";
import { DepartedNodes, type DepartedNode } from "./departed-nodes.ts";
import { changeBetween, emptyChange, mergeChange, type GraphChange } from "./graph-change.ts";
import { firstAfter } from "./first-view.ts";
import { ViewContent, sourceKey, sourcesOf } from "./view-content.ts";
import { ageOf, connectionOf, isOutdated } from "./kept-picture.ts";
import { listen } from "./listen.ts";
import { nodeIdOf, type LiveEdge, type LiveNode } from "./live-node.ts";
import { isOfAnotherUser, isSameView, viewerAfter } from "./same-view.ts";
import { ShownGraph } from "./shown-graph.ts";
import type { ViewHold } from "./shown-hold.ts";
import { endsHold, heldView } from "./view-hold.ts";
import { BLANK, START, type ViewState } from "./view-state.ts";
import { ViewNumbers } from "./view-numbers.ts";

/** Holds the nodes and edges of one environment, and tells apart who must hear of a change. */
export class EnvironmentStore {
  readonly #nodes = new Map<string, LiveNode>();
  readonly #edges = new Map<string, LiveEdge>();
  readonly #sources = new Map<string, Source>();
  readonly #front = new ShownGraph({ nodes: this.#nodes, edges: this.#edges });
  readonly #viewListeners = new Set<() => void>();
  readonly #departed = new DepartedNodes();
  /** Of the view that is shown. */
  #numbers = new ViewNumbers();
  readonly #shown = (id: string): LiveNode | undefined => this.#nodes.get(id);
  #view: ViewState = START;
  /** What is said of it: while it is held, partly what it was. */
  #shownView: ViewState = START;
  #holding: { readonly at: ViewState; readonly hold: ViewHold } | undefined;
  #changed: GraphChange = emptyChange();
  /** What may not be seen any more since the last flush. */
  readonly #revoked = new Set<string>();
  #viewDirty = false;
  /** What the server fills; absent: what is shown is what it has. */
  #held: ViewContent | undefined;
  /** What is shown and was not confirmed since the last reconnect. */
  readonly #unconfirmed = { nodes: new Set<string>(), edges: new Set<string>() };
  /** The viewer is somebody else in the cluster now: what is shown is not what the next snapshot has. */
  #isForeign = false;
  readonly #schedule: (flush: () => void) => void;

  /**
   * @param schedule runs the given flush soon, at least once after every call; a test passes `(flush) => flush()`
   * @param first what is known before the stream says anything
   */
  constructor(schedule: (flush: () => void) => void, first: Partial<ViewState> = {}) {
    this.#schedule = schedule;
    this.#view = { ...START, ...first };
    this.#shownView = this.#view;
  }

  /** The page was sent before all was known of it that is known first; nothing is taken of it once the stream has said something. */
  begin(first: Partial<ViewState>): void {
    if (this.#view.lastMessageMs === 0) this.#setView(first);
  }

  /** Applies one message of the stream, which came at `nowMs` by the server's clock. `false` when the server will send no more. */
  apply(message: WatchEnvironmentResponse, nowMs: number): boolean {
    const content = message.message;
    const next = this.#take(content, nowMs);
    const ended = content.case === "problem" && content.value.kind !== ProblemKind.UNAVAILABLE;
    const stream = { kind: ended ? "ended" : "open" } as const;
    const sentAtMs = message.sentAt === undefined ? nowMs : millisOf(message.sentAt);
    const view = { ...this.#view, ...next, stream, lastMessageMs: nowMs, sentAtMs };
    const isCurrent = !view.held && !view.kept && view.version > 0 && view.connection?.state === ConnectionState.CONNECTED;
    const blank = view.version === 0 || (this.#nodes.size === 0 && !view.complete);
    this.#setView({ ...view, ...firstAfter(this.#view, view), blank, contentAsOfMs: isCurrent ? nowMs : view.contentAsOfMs });
    return !ended;
  }

  #take(content: WatchEnvironmentResponse["message"], nowMs: number): Partial<ViewState> {
    switch (content.case) {
      case "header":
        return this.#meet(content.value, nowMs);
      case "connection":
        return { connection: connectionAfter(this.#view.connection, content.value), problem: undefined };
      case "snapshot":
        if (!this.#isForeign && isOutdated(content.value, this.#view)) return connectionOf(content.value);
        return this.#mustHold(content.value) ? this.#hold(content.value, nowMs) : this.#replace(content.value, nowMs);
      case "delta":
        return this.#held === undefined ? this.#patch(content.value, nowMs) : this.#patchHeld(this.#held, content.value, nowMs);
      case "problem":
        return { problem: content.value };
      case "delivery":
        return this.#view.environment === undefined ? {} : { environment: { ...this.#view.environment, delivery: content.value } };
      default:
        return this.#held?.isDue(nowMs) === true ? this.#showHeld(this.#held, nowMs) : {};
    }
  }

  /** The stream broke and is tried again. */
  lost(reason: string, nowMs: number): void {
    const sinceMs = this.#view.stream.kind === "lost" ? this.#view.stream.sinceMs : nowMs;
    this.#setView({ stream: { kind: "lost", reason, sinceMs }, held: this.#view.version > 0 });
  }

  /** The view cannot go on; data stays as it was. */
  end(problem: Problem): void {
    this.#setView({ problem, stream: { kind: "ended" } });
  }

  /** From now on the picture stays as it is; the stream goes on. */
  hold(hold: ViewHold): void {
    if (this.#holding !== undefined || endsHold(this.#view)) return;
    this.#flush();
    this.#holding = { at: this.#view, hold };
    this.#front.hold();
    this.#setView({});
  }

  /** The picture is what it would be by now. */
  release(): void {
    if (this.#holding === undefined) return;
    this.#holding = undefined;
    this.#front.release();
    this.#setView({});
  }

  node(id: string): LiveNode | undefined {
    return this.#front.nodes.get(id);
  }

  /** The node of a resource; `undefined` when it is not in the view. */
  nodeOf(ref: ResourceRef | undefined): LiveNode | undefined {
    return ref && this.node(nodeIdOf(ref));
  }

  /** The last known state of what this selection named, when it has left. */
  departed(selection: string): DepartedNode | undefined {
    return this.#departed.of(selection);
  }

  /** The live maps; read only, and only until the next message. */
  get nodes(): ReadonlyMap<string, LiveNode> {
    return this.#front.nodes;
  }

  get edges(): ReadonlyMap<string, LiveEdge> {
    return this.#front.edges;
  }

  /** Stable until something in it changes. */
  readonly view = (): ViewState => this.#shownView;

  /** Number of changes to nodes or edges, counted per flush: a cheap snapshot for subscribers of the whole graph. */
  readonly graphVersion = (): number => this.#front.version;

  /** Follows what changes. Without an open cursor nothing is kept of what has gone. */
  openChanges(): ChangeCursor {
    return this.#front.openChanges();
  }

  /** How many ids are kept for those who follow the changes. */
  get untakenSize(): number {
    return this.#front.untakenSize;
  }

  readonly onView = (listener: () => void): (() => void) => listen(this.#viewListeners, listener);

  readonly onGraph = (listener: () => void): (() => void) => this.#front.onGraph(listener);

  onNode(id: string, listener: () => void): () => void {
    return this.#front.onNode(id, listener);
  }

  #setView(change: Partial<ViewState>): void {
    this.#view = { ...this.#view, ...change };
    if (endsHold(this.#view)) this.release();
    this.#showView();
    this.#schedule(() => this.#flush());
  }

  #showView(): void {
    const held = this.#holding;
    const waiting = this.#front.waiting;
    this.#shownView = held === undefined ? this.#view : heldView(held.at, this.#view, { ...held.hold, waiting });
    this.#viewDirty = true;
  }

  /** Whose view the stream is; somebody else must not see what the one before saw. */
  #meet({ environment, viewer, notices, views: links }: Header, nowMs: number): Partial<ViewState> {
    const before = this.#view;
    const now = { environment, viewer: viewerAfter(before.viewer, viewer), notices, links };
    this.#isForeign ||= !isSameView(before, now);
    // What follows is a picture, or what was missed of the one that is shown; never the rest of one that was being filled.
    this.#held = undefined;
    const first = this.#isForeign && before.version === 0 ? { health: undefined, firstAsOfMs: undefined, empty: undefined } : {};
    if (!isOfAnotherUser(before.viewer, viewer)) return { ...now, ...first, held: before.version > 0 };
    this.release();
    this.#apply(changeBetween({ nodes: this.#nodes, edges: this.#edges }, { nodes: [], edges: [] }), { nowMs, isDeletion: false });
    this.#sources.clear();
    this.#numbers = new ViewNumbers();
    return { ...BLANK, ...now, connection: undefined, configurationError: undefined };
  }

  /** What is shown is of the same view, and better than one that is being filled. */
  #mustHold(snapshot: Snapshot): boolean {
    return !snapshot.complete && !this.#isForeign && (this.#nodes.size > 0 || this.#view.complete);
  }

  #hold(snapshot: Snapshot, nowMs: number): Partial<ViewState> {
    this.#held = new ViewContent(snapshot, nowMs);
    this.#hideForbidden(this.#held, nowMs);
    const { connection = this.#view.connection } = snapshot;
    return { held: true, problem: undefined, ...(connection && { connection: connectionAfter(this.#view.connection, connection) }) };
  }

  #patchHeld(held: ViewContent, delta: Delta, nowMs: number): Partial<ViewState> {
    held.patch(delta);
    this.#hideForbidden(held, nowMs);
    const connection = delta.connection && connectionAfter(this.#view.connection, delta.connection);
    const shown = held.isDue(nowMs) ? this.#showHeld(held, nowMs) : {};
    return { ...shown, ...(connection && { connection }), problem: undefined };
  }

  /** What may not be seen any more goes at once, however old the rest may be. */
  #hideForbidden(held: ViewContent, nowMs: number): void {
    const nodes = [...this.#nodes.values()].filter((node) => held.isForbidden(node)).map(({ id }) => id);
    if (nodes.length === 0) return;
    for (const id of nodes) this.#revoked.add(id);
    this.#apply({ ...emptyChange(), removedNodes: new Set(nodes) }, { nowMs, isDeletion: false });
  }

  /** The new picture takes the place of the old one, but for what the server has not asked the cluster about yet. */
  #showHeld(held: ViewContent, nowMs: number): Partial<ViewState> {
    const numbers = new ViewNumbers();
    const now = numbers.begin(held.nodes.values(), held.edges.values(), this.#shown);
    const left = held.leftOf({ nodes: this.#nodes, edges: this.#edges }, now);
    const nodes = [...now.nodes.values(), ...left.nodes];
    const edges = [...now.edges.values(), ...left.edges];
    this.#become({ nodes, edges, sources: held.sources.values(), numbers }, nowMs);
    for (const { id } of left.nodes) this.#unconfirmed.nodes.add(id);
    for (const { id } of left.edges) this.#unconfirmed.edges.add(id);
    const { health, configurationError, complete, empty } = held;
    const version = this.#view.version + 1;
    return { health, configurationError, complete, empty, sources: [...this.#sources.values()], held: false, kept: false, version };
  }

  #replace(snapshot: Snapshot, nowMs: number): Partial<ViewState> {
    const numbers = new ViewNumbers();
    const { nodes, edges } = numbers.begin(snapshot.nodes, snapshot.edges, this.#shown);
    this.#become({ nodes: nodes.values(), edges: edges.values(), sources: snapshot.sources, numbers }, nowMs);
    return {
      health: snapshot.health,
      connection: snapshot.connection,
      configurationError: snapshot.configurationError,
      complete: snapshot.complete,
      empty: snapshot.empty,
      sources: [...this.#sources.values()],
      problem: undefined,
      held: false,
      ...ageOf(snapshot),
      version: this.#view.version + 1,
    };
  }

  #become(picture: Picture, nowMs: number): void {
    this.#numbers = picture.numbers;
    this.#sources.clear();
    for (const source of picture.sources) this.#sources.set(sourceKey(source), source);
    const change = changeBetween({ nodes: this.#nodes, edges: this.#edges }, picture);
    // When something went that is not there after a day nobody knows.
    this.#apply(change, { nowMs, isDeletion: !this.#isForeign && !this.#view.kept });
    this.#held = undefined;
    this.#isForeign = false;
    this.#unconfirmed.nodes.clear();
    this.#unconfirmed.edges.clear();
  }

  #patch(delta: Delta, nowMs: number): Partial<ViewState> {
    const change = this.#numbers.change(delta, this.#shown);
    for (const id of change.nodes.keys()) this.#unconfirmed.nodes.delete(id);
    for (const id of change.edges.keys()) this.#unconfirmed.edges.delete(id);
    if (delta.complete) {
      for (const id of this.#unconfirmed.nodes) change.removedNodes.add(id);
      for (const id of this.#unconfirmed.edges) change.removedEdges.add(id);
      this.#unconfirmed.nodes.clear();
      this.#unconfirmed.edges.clear();
    }
    const sourcesChanged = delta.upsertedSources.length + delta.removedSources.length > 0;
    for (const key of delta.removedSources) this.#sources.delete(key);
    for (const source of delta.upsertedSources) this.#sources.set(sourceKey(source), source);
    this.#apply(change, { nowMs, isDeletion: true });
    const complete = this.#view.complete || delta.complete;
    return {
      problem: undefined,
      complete,
      held: false,
      version: this.#view.version + 1,
      ...(delta.health === undefined ? {} : { health: delta.health }),
      ...(delta.connection === undefined ? {} : { connection: delta.connection }),
      ...(delta.configurationError === undefined ? {} : { configurationError: delta.configurationError }),
      ...(delta.configurationErrorCleared ? { configurationError: undefined } : {}),
      ...(sourcesChanged ? { sources: [...this.#sources.values()] } : {}),
      empty: delta.empty ?? (this.#nodes.size > 0 ? undefined : this.#view.empty),
    };
  }

  /** @param isDeletion what goes is gone in the cluster; otherwise it may only not be seen any more */
  #apply(change: GraphChange, { nowMs, isDeletion }: { readonly nowMs: number; readonly isDeletion: boolean }): void {
    const leave = (node: LiveNode): void => {
      const isHidden = sourcesOf(this.#sources, node).some(({ settled }) => settled === SettledState.FORBIDDEN);
      if (isHidden) this.#revoked.add(node.id);
      else if (isDeletion) this.#departed.left(node, nowMs);
    };
    for (const id of change.removedNodes) {
      const node = this.#nodes.get(id);
      if (node === undefined) continue;
      this.#nodes.delete(id);
      leave(node);
    }
    for (const [id, node] of change.nodes) {
      const before = this.#nodes.get(id);
      // What others still refer to takes the place of what has gone.
      if (before !== undefined && before.life !== node.life) leave(before);
      this.#nodes.set(id, node);
      this.#departed.came(node);
    }
    for (const id of change.removedEdges) this.#edges.delete(id);
    for (const [id, edge] of change.edges) this.#edges.set(id, edge);
    this.#changed = mergeChange(this.#changed, change);
  }

  #flush(): void {
    const change = this.#changed;
    this.#changed = emptyChange();
    this.#front.revoke(this.#revoked);
    this.#revoked.clear();
    this.#front.changed(change);
    // How much waits is part of what is said.
    if (this.#shownView.hold !== undefined && this.#shownView.hold.waiting !== this.#front.waiting) this.#showView();
    if (!this.#viewDirty) return;
    this.#viewDirty = false;
    for (const listener of this.#viewListeners) listener();
  }
}

/** What is to be shown, and the numbers in which its view goes on. */
interface Picture {
  readonly nodes: Iterable<LiveNode>;
  readonly edges: Iterable<LiveEdge>;
  readonly sources: Iterable<Source>;
  readonly numbers: ViewNumbers;
}
