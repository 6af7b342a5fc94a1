import type { KubeClientError } from "@binnacle/environment-view/transport";
import { LogContainerKind, LogSourceState } from "@binnacle/proto/dashboard-logs";
import { words, type Words } from "@binnacle/words";

import type { LogTarget } from "../logs-query.ts";
import type { LogPod, PodContainer } from "../pods/pod-containers.ts";
import type { ContainerName } from "../reading/log-request.ts";
import { keyOf, KnownPositions } from "./known-positions.ts";
import { ListedPods } from "./listed-pods.ts";
import { logRoleYaml, SourceEntry } from "./log-source.ts";
import { planFirst, planNext, type PlannedInstance } from "./plan-instances.ts";
import { SourceSchedule, type StreamOptions } from "./source-schedule.ts";

/** The sources of one stream: which there are, which are read, and what has become of each. */
export class SourceTable {
  readonly #options: StreamOptions;
  readonly #pods: ListedPods;
  readonly #schedule: SourceSchedule;
  readonly #positions: KnownPositions;
  readonly #entries = new Map<number, SourceEntry>();
  readonly #newest = new Map<string, SourceEntry>();
  readonly #failing = new Map<LogTarget, SourceEntry>();
  readonly #changed = new Set<SourceEntry>();
  #nextId = 1;
  #isComplete = false;
  #hasUnlisted = false;
  #error: { readonly error: unknown } | undefined;
  /** The pods of all targets are known. */
  isListed = false;

  constructor(options: StreamOptions) {
    const { query, reader } = options;
    this.#options = options;
    this.#positions = new KnownPositions(query.positions);
    this.#pods = new ListedPods({
      reader,
      targets: query.targets,
      follow: query.follow,
      observed: (pod) => this.#observe(pod),
      left: (pod) => this.#left(pod),
      listed: () => this.#listed(),
      targetChanged: (target, error) => this.#targetChanged(target, error),
    });
    this.#schedule = new SourceSchedule(options, {
      entries: () => this.#entries.values(),
      pods: this.#pods,
      setState: (entry, state, why) => this.#setState(entry, state, why),
      failed: (error) => this.#fail(error),
    });
  }

  /** Begins to list and to read. */
  start(): void {
    this.#pods.run(this.#options.signal).then(
      () => {
        this.#isComplete = true;
        this.#options.wake();
      },
      (error: unknown) => this.#fail(error),
    );
  }

  /** The sources, without those that are over and sent. */
  get entries(): Iterable<SourceEntry> {
    return this.#entries.values();
  }

  /** All has been read, and nothing follows. @throws what ends the stream */
  get isDone(): boolean {
    if (this.#error !== undefined) throw this.#error.error;
    if (!this.#isComplete || this.#options.query.follow) return false;
    return [...this.#entries.values()].every((entry) => !entry.isQueued && !entry.isRunning && entry.queue.isEmpty);
  }

  /** Sources that have joined or changed since the last call. Those whose lines are sent end here. */
  takeChanged(): SourceEntry[] {
    for (const entry of this.#entries.values()) {
      if (entry.pendingState === undefined || !entry.queue.isEmpty) continue;
      if (entry.setState(entry.pendingState)) this.#changed.add(entry);
      entry.pendingState = undefined;
    }
    const changed = [...this.#changed];
    this.#changed.clear();
    return changed;
  }

  /** Forgets a source that is over, after its last message. */
  forget(entry: SourceEntry): void {
    if (entry.isOver && entry.queue.isEmpty && !entry.isRunning) this.#entries.delete(entry.id);
  }

  #observe(pod: LogPod): void {
    const { query } = this.#options;
    for (const container of pod.containers) {
      if (query.containers.length > 0 && !query.containers.includes(container.name)) continue;
      const name = { namespace: pod.namespace, pod: pod.name, container: container.name };
      const newest = this.#newest.get(keyOf(name));
      if (newest === undefined) this.#join(pod, container, name);
      else this.#update(pod, container, newest);
    }
    this.#schedule.run();
  }

  #join(pod: LogPod, container: PodContainer, name: ContainerName): void {
    const { query } = this.#options;
    // Of pods that join later everything is new.
    const tailLines = this.isListed ? undefined : query.tailLines;
    const planned = planFirst(container, this.#positions.take(name), { tailLines, wantsPrevious: query.previous });
    for (const each of planned) this.#addInstance(pod, container, each);
    if (planned.length === 0 && !query.previous) {
      const waiting = this.#add({ name, kind: container.kind, podUid: pod.uid, instance: undefined, start: {} });
      if (waiting !== undefined) this.#newest.set(keyOf(name), waiting);
    }
  }

  #update(pod: LogPod, container: PodContainer, newest: SourceEntry): void {
    const { present } = container;
    if (present === undefined || this.#options.query.previous) return;
    if (newest.instance === undefined) {
      newest.instance = present;
      newest.hasTerminated = present.hasTerminated;
      newest.isQueued = true;
      this.#changed.add(newest);
      return;
    }
    if (newest.instance.id === present.id) {
      newest.hasTerminated = present.hasTerminated;
      return;
    }
    newest.hasTerminated = true;
    const { id, restarts } = newest.instance;
    let before = newest;
    for (const each of planNext(container, { id, restarts, position: newest.position })) {
      this.#addInstance(pod, container, each);
      const added = this.#newest.get(keyOf(newest.name));
      if (added === undefined || added === before) break;
      this.#schedule.readAfter(added, before);
      before = added;
    }
  }

  #addInstance(pod: LogPod, { name: container, kind }: PodContainer, { instance, start }: PlannedInstance): void {
    const name = { namespace: pod.namespace, pod: pod.name, container };
    const entry = this.#add({ name, kind, podUid: pod.uid, instance, start });
    if (entry === undefined) return;
    entry.hasTerminated = instance.hasTerminated;
    entry.isQueued = true;
    this.#newest.set(keyOf(name), entry);
  }

  #add(options: Pick<SourceEntry, "name" | "kind" | "podUid" | "instance" | "start">): SourceEntry | undefined {
    const { reader, wake } = this.#options;
    const listed = [...this.#entries.values()].filter(({ isOver }) => !isOver).length;
    if (listed >= reader.limits.sources) {
      if (!this.#hasUnlisted) {
        this.#hasUnlisted = true;
        const name = { namespace: options.name.namespace, pod: "", container: "" };
        this.#create({ ...options, name, instance: undefined }).setState(
          LogSourceState.OVER_LIMIT,
          words("logs/too-many", { most: reader.limits.sources }),
        );
        wake();
      }
      return undefined;
    }
    return this.#create(options);
  }

  #create(options: Pick<SourceEntry, "name" | "kind" | "podUid" | "instance" | "start">): SourceEntry {
    const entry = new SourceEntry({ ...options, id: this.#nextId, added: this.#options.wake });
    this.#nextId += 1;
    this.#entries.set(entry.id, entry);
    this.#changed.add(entry);
    this.#options.wake();
    return entry;
  }

  #left(pod: LogPod): void {
    for (const container of pod.containers) {
      const key = keyOf({ namespace: pod.namespace, pod: pod.name, container: container.name });
      if (this.#newest.get(key)?.podUid === pod.uid) this.#newest.delete(key);
    }
    for (const entry of this.#entries.values()) {
      if (entry.podUid !== pod.uid || entry.hasLeft) continue;
      entry.hasLeft = true;
      entry.hasTerminated = true;
      this.#changed.add(entry);
      if (entry.isRunning) continue;
      entry.isQueued = false;
      entry.pendingState = LogSourceState.ENDED;
    }
    this.#schedule.run();
    this.#options.wake();
  }

  #listed(): void {
    this.isListed = true;
    const { targets } = this.#options.query;
    const inTargets = (namespace: string): boolean => targets.some((target) => target.namespace === namespace);
    for (const { name, containerId, restarts, timeNanos, reachedEnd } of this.#positions.takeRest()) {
      if (reachedEnd || !inTargets(name.namespace) || this.#failing.size > 0) continue;
      // The pod has gone since: what it wrote after the position cannot be read.
      const instance = { id: containerId, restarts };
      const entry = this.#add({ name, kind: LogContainerKind.UNSPECIFIED, podUid: "", instance, start: {} });
      if (entry === undefined) continue;
      entry.hasLeft = true;
      entry.queue.push({ kind: "gap", afterNanos: timeNanos, beforeNanos: undefined });
      entry.pendingState = LogSourceState.ENDED;
    }
    this.#options.wake();
  }

  #targetChanged(target: LogTarget, error: KubeClientError | undefined): void {
    const known = this.#failing.get(target);
    if (error === undefined) {
      if (known === undefined) return;
      this.#failing.delete(target);
      known.hasLeft = true;
      known.pendingState = LogSourceState.ENDED;
      this.#changed.add(known);
      return this.#options.wake();
    }
    const { namespace, pod = "" } = target;
    const name = { namespace, pod, container: "" };
    const entry = known ?? this.#create({ name, kind: LogContainerKind.UNSPECIFIED, podUid: "", instance: undefined, start: {} });
    this.#failing.set(target, entry);
    if (error.status?.code === 403) this.#setState(entry, LogSourceState.REFUSED, words("logs/pods-refused", { namespace }));
    else this.#setState(entry, LogSourceState.FAILED, error.words);
  }

  #setState(entry: SourceEntry, state: LogSourceState, why?: Words): void {
    const role = state === LogSourceState.REFUSED ? logRoleYaml(entry.name.namespace) : "";
    if (entry.pendingState !== undefined || !entry.setState(state, why, role)) return;
    this.#changed.add(entry);
    this.#options.wake();
  }

  #fail(error: unknown): void {
    if (this.#options.signal.aborted) return;
    this.#error ??= { error };
    this.#options.wake();
  }
}
