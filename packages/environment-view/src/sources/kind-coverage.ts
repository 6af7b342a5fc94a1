import { isDeepStrictEqual } from "node:util";

import type { ResourceKind } from "@binnacle/kube";

import { KindAuthorities, type Coverage } from "./kind-authorities.ts";
import type { KindReflectorState } from "../reflector/kind-reflector-options.ts";
import { isCore } from "../scope/kind-plan.ts";
import { KindReaders, type KindReader } from "./kind-readers.ts";
import type { ObjectFeeds } from "../objects/object-feeds.ts";
import { RunningSource, type SourceSurroundings } from "./running-source.ts";
import { chooseSources, type KindChoice, type WideAccess } from "./source-choice.ts";
import { leftBehind, LOADING, phaseOf } from "../reflector/source-phase.ts";
import { unreadState, type SourcePlaces } from "./source-places.ts";
import { WideList } from "./wide-list.ts";

/** Objects that were read with a withdrawn right are shown no longer than this while it is unknown whether another right covers them. */
const LEFT_MS = 30_000;

/** What a coverage works with. */
export interface KindCoverageOptions {
  readonly kind: ResourceKind;
  /** Place of the kind among all, for the watch budget. */
  readonly rank: number;
  readonly surroundings: SourceSurroundings;
  readonly feeds: ObjectFeeds;
  /** Of all sources of the view. */
  readonly places: SourcePlaces;
}

/**
 * The sources of one kind for its readers: one of all namespaces, or one for each that is wanted. When the other form becomes the
 * better one, what there is stays until the other source has read everything, so nothing vanishes and comes back.
 */
export class KindCoverage {
  readonly kind: ResourceKind;
  readonly #options: KindCoverageOptions;
  readonly #stop = new AbortController();
  readonly #readers = new KindReaders();
  readonly #sources = new Map<string, RunningSource>();
  /** The last states of the sources. */
  readonly #states = new Map<RunningSource, KindReflectorState>();
  readonly #authorities: KindAuthorities;
  readonly #ending = new Set<Promise<void>>();
  readonly #wideList: WideList;
  #choice: KindChoice | undefined;
  /** Some namespaces show what no source keeps up to date any more. */
  #isLeft = false;
  #cancelLeaving: () => void = () => {};

  constructor(options: KindCoverageOptions) {
    const { kind, surroundings, feeds } = options;
    this.#options = options;
    this.kind = kind;
    this.#authorities = new KindAuthorities({ kind, feeds, store: surroundings.store, readers: this.#readers });
    this.#wideList = new WideList({ kind, surroundings, signal: this.#stop.signal, changed: () => this.#plan() });
  }

  get isWanted(): boolean {
    return this.#readers.size > 0;
  }

  /** How many namespaces no source reads, because the view has reached its limit of sources. */
  get unread(): number {
    return this.#authorities.namespacesOf("unread").length;
  }

  /** Adds a reader of a namespace, which receives at once what is known of it. */
  join(namespace: string, reader: KindReader): void {
    const isFirst = this.#readers.add(namespace, reader);
    this.#options.feeds.join(this.#authorities.cellId(namespace), reader);
    if (isFirst) this.#plan(namespace);
    this.attend(namespace);
  }

  leave(namespace: string, reader: KindReader): void {
    this.#options.feeds.leave(this.#authorities.cellId(namespace), reader);
    if (!this.#readers.remove(namespace, reader)) return this.attend(namespace);
    this.#authorities.forget(namespace);
    this.#plan();
  }

  /** A reader of the namespace is looked at more closely, or less. */
  attend(namespace: string): void {
    this.#sources.get(namespace)?.attend(this.#readers.attentionOf(namespace));
    this.#sources.get("")?.attend(this.#readers.attentionOf(""));
  }

  coverageOf(namespace: string): Coverage {
    return this.#authorities.coverageOf(namespace);
  }

  /** Time has passed, and so has what the kind costs. */
  review(): void {
    this.#plan();
  }

  /** Other rules are in force. */
  reread(): void {
    for (const source of this.#sources.values()) source.reread();
  }

  /** The kind has left: so do its objects. */
  close(): void {
    this.#authorities.close();
    this.#readers.clear();
    this.#stop.abort();
    for (const source of this.#sources.values()) this.#end(source);
    this.#wideList.close();
    this.#cancelLeaving();
  }

  /** Settles when everything that has been ended is closed. */
  async ended(): Promise<void> {
    await Promise.all([...this.#ending, ...[...this.#sources.values()].map((source) => source.ended())]);
  }

  /** @param joined only this namespace is new: the others stay as they are, unless all are served otherwise from now on */
  #plan(joined?: string): void {
    if (this.#stop.signal.aborted) return;
    const choice = this.#choose();
    const isSame = isDeepStrictEqual(choice, this.#choice);
    this.#choice = choice;
    if (choice.ask) this.#wideList.ask();
    if (choice.wide) this.#run("");
    for (const namespace of joined !== undefined && isSame ? [joined] : this.#readers.namespaces()) this.#settle(namespace, choice);
    for (const source of this.#sources.values()) if (!this.#isNeeded(source, choice)) this.#end(source);
    if (!this.#isLeft || this.#authorities.namespacesOf("left").length > 0) return;
    this.#isLeft = false;
    this.#authorities.dropLeft();
  }

  #choose(): KindChoice {
    const all = this.#readers.has("");
    const wide = this.#sources.get("");
    const { store } = this.#options.surroundings;
    const isWide = wide !== undefined && phaseOf(wide.state) === "whole";
    return chooseSources({
      all,
      namespaces: this.#readers.size - (all ? 1 : 0),
      access: this.#access(),
      clusterObjects: isWide ? store.count(wide.layerId) : this.#wideList.objects,
      wantedObjects: () => [...this.#readers.namespaces()].reduce((sum, namespace) => sum + this.coverageOf(namespace).shown, 0),
      isWide: wide !== undefined,
    });
  }

  /** What the source says that tries it counts more than what was found out before. */
  #access(): WideAccess {
    const wide = this.#sources.get("");
    const phase = wide && phaseOf(wide.state);
    if (phase === "blocked") return "refused";
    return phase === "whole" ? "allowed" : this.#wideList.access;
  }

  /** Says whose objects stand for a namespace. */
  #settle(namespace: string, choice: KindChoice): void {
    const isOwn = namespace === "" || choice.namespaces === "own";
    const before = this.#authorities.of(namespace);
    if (!isOwn && choice.namespaces === "wait") return;
    const source = this.#run(isOwn ? namespace : "");
    // What there is stays; where there is nothing, the namespace is unread.
    if (source === undefined) return before === undefined ? this.#authorities.serveUnread(namespace, this.#unreadState()) : undefined;
    if (before?.kind === "source" && before.source === source) return;
    const phase = phaseOf(source.state);
    const isKnown = before !== undefined && before.kind !== "unread";
    // Its own source has the last word once it has one; that of all namespaces must be better than what there is.
    if (isKnown && phase !== "whole" && !(isOwn && phase === "blocked")) return;
    this.#authorities.serve(namespace, source);
  }

  #isNeeded(source: RunningSource, choice: KindChoice): boolean {
    const isWanted = source.namespace === "" ? choice.wide : this.#readers.has(source.namespace) && choice.namespaces === "own";
    return isWanted || this.#authorities.namespacesOf(source).length > 0;
  }

  /** The source of a namespace, which begins now if there is none; `undefined` where the view has as many as it may. */
  #run(namespace: string): RunningSource | undefined {
    const known = this.#sources.get(namespace);
    if (known) return known;
    const { kind, rank, surroundings, places } = this.#options;
    if (!places.take(namespace === "" || isCore(kind))) return undefined;
    const source: RunningSource = new RunningSource({
      kind,
      rank,
      namespace,
      attention: this.#readers.attentionOf(namespace),
      surroundings,
      changed: () => this.#changed(source),
      emptied: () => this.#emptied(source),
    });
    this.#sources.set(namespace, source);
    this.#states.set(source, LOADING);
    return source;
  }

  #end(source: RunningSource): void {
    const { store } = this.#options.surroundings;
    this.#sources.delete(source.namespace);
    this.#states.delete(source);
    if (source.namespace === "" && phaseOf(source.state) === "whole") this.#wideList.left(store.count(source.layerId));
    source.end();
    store.drop(source.layerId);
    const ending = source.ended();
    this.#ending.add(ending);
    // Until here it may still have a request on its way.
    void ending.then(() => {
      this.#ending.delete(ending);
      this.#options.places.give();
    });
  }

  #changed(source: RunningSource): void {
    const [before, now] = [this.#states.get(source), source.state];
    if (before === undefined || before === now) return;
    this.#states.set(source, now);
    const phase = phaseOf(now);
    if (phaseOf(before) !== phase) {
      if (source.namespace === "") this.#wideList.learnFrom(phase);
      this.#plan();
    }
    this.#authorities.tell(source);
  }

  /** All namespaces may not be read any more, but perhaps each: what is shown of them stays until their own sources have answered. */
  #emptied(source: RunningSource): void {
    const { clock } = this.#options.surroundings;
    if (source.namespace !== "" || phaseOf(source.state) !== "blocked") return;
    const left = this.#authorities.namespacesOf(source).filter((namespace) => namespace !== "");
    if (left.length === 0) return;
    this.#isLeft = true;
    this.#cancelLeaving();
    this.#cancelLeaving = clock.after(LEFT_MS, () => this.#letGo());
    this.#authorities.leaveBehind(source, left, leftBehind(this.#states.get(source) ?? LOADING, clock.now()));
  }

  /** No source has confirmed what was left: it goes. */
  #letGo(): void {
    for (const namespace of this.#authorities.namespacesOf("left")) {
      const source = this.#run(namespace);
      if (source) this.#authorities.serve(namespace, source);
      else this.#authorities.serveUnread(namespace, this.#unreadState());
    }
    this.#plan();
  }

  #unreadState(): KindReflectorState {
    return unreadState(this.#options.places.most, this.#options.surroundings.clock.now());
  }
}
