import { LogSourceState } from "@binnacle/proto/dashboard-logs";
import { sleep } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";

import type { LineFilter } from "../filter/filter.ts";
import type { LogsQuery, LogsReader } from "../logs-query.ts";
import { ContainerReader, type InstancePlace, type ReadOutcome } from "../reading/container-reader.ts";
import type { ListedPods } from "./listed-pods.ts";
import type { SourceEntry } from "./log-source.ts";

/** A source without the right is tried again so often, in case that rights were given. */
const REFUSED_RETRY_MS = 60_000;
/** The end of an instance comes before the beginning of the next one, unless its log does not end. */
const PREDECESSOR_MS = 5_000;

/** What the sources of one stream are read with. */
export interface StreamOptions {
  readonly query: LogsQuery;
  readonly reader: LogsReader;
  readonly filter: LineFilter;
  /** Aborts everything. */
  readonly signal: AbortSignal;
  /** Called when there is something to send. */
  readonly wake: () => void;
}

/** The sources that it reads. */
export interface ScheduledSources {
  readonly entries: () => Iterable<SourceEntry>;
  readonly pods: Pick<ListedPods, "get">;
  readonly setState: (entry: SourceEntry, state: LogSourceState, why?: Words) => void;
  /** Called with what ends the stream. */
  readonly failed: (error: unknown) => void;
}

/** Which sources of a stream are read: at most `limits.reads` at a time, and an instance after the one before it. */
export class SourceSchedule {
  readonly #options: StreamOptions;
  readonly #sources: ScheduledSources;

  constructor(options: StreamOptions, sources: ScheduledSources) {
    this.#options = options;
    this.#sources = sources;
  }

  /** Begins to read what may be read now: first the sources that end by themselves. */
  run(): void {
    const { reader, query, signal } = this.#options;
    if (signal.aborted) return;
    const all = [...this.#sources.entries()];
    const waiting = all
      .filter(({ isQueued, isRunning, waitsFor }) => isQueued && !isRunning && waitsFor?.isRunning !== true && waitsFor?.isQueued !== true)
      .sort((one, other) => Number(other.hasTerminated) - Number(one.hasTerminated) || one.id - other.id);
    let free = reader.limits.reads - all.filter(({ isRunning }) => isRunning).length;
    for (const entry of waiting) {
      if (free > 0) {
        free -= 1;
        this.#read(entry);
      } else if (query.follow && entry.state !== LogSourceState.REFUSED) {
        const why = reader.overLimit ?? words("logs/over-limit", { most: reader.limits.reads });
        this.#sources.setState(entry, LogSourceState.OVER_LIMIT, why);
      }
    }
  }

  /** Reads an instance of a container only after another one has been read, or after five seconds. */
  readAfter(entry: SourceEntry, before: SourceEntry): void {
    entry.waitsFor = before;
    this.#after(PREDECESSOR_MS, () => (entry.waitsFor = undefined));
  }

  /** Runs again after so many milliseconds, unless the stream ends. */
  #after(ms: number, change: () => void): void {
    const { reader, signal } = this.#options;
    const due = async (): Promise<void> => {
      await sleep(reader.clock, ms, signal);
      change();
      this.run();
    };
    void due(); // it throws nothing
  }

  #read(entry: SourceEntry): void {
    const { query, reader, filter, signal } = this.#options;
    const { setState, failed } = this.#sources;
    entry.isRunning = true;
    if (entry.state === LogSourceState.OVER_LIMIT) setState(entry, LogSourceState.WAITING);
    const { position } = entry;
    const { sinceNanos, untilNanos } = query;
    entry.reader = new ContainerReader({
      reader,
      name: entry.name,
      follow: query.follow && !query.previous,
      selection: { filter, sinceNanos, untilNanos },
      start: position === undefined ? entry.start : { ...entry.start, position },
      place: () => this.#placeOf(entry),
      queue: entry.queue,
      changed: (state, why) => setState(entry, state, why),
    });
    entry.reader.run(signal).then((outcome) => this.#stopped(entry, outcome), failed);
  }

  #stopped(entry: SourceEntry, outcome: ReadOutcome): void {
    const { query, wake } = this.#options;
    entry.isRunning = false;
    entry.isQueued = false;
    if (outcome === "ended" || (entry.hasLeft && outcome !== "aborted")) entry.pendingState = LogSourceState.ENDED;
    else if (outcome === "refused" && query.follow) {
      this.#after(REFUSED_RETRY_MS, () => (entry.isQueued = !entry.hasLeft));
    }
    this.run();
    wake();
  }

  #placeOf({ name, podUid, instance }: SourceEntry): InstancePlace {
    const pod = this.#sources.pods.get(name.namespace, name.pod);
    const container = pod?.uid === podUid ? pod.containers.find((one) => one.name === name.container) : undefined;
    if (container === undefined) return { where: "gone", hasTerminated: true };
    const { present, previous } = container;
    if (this.#options.query.previous && previous?.id === instance?.id) return { where: "previous", hasTerminated: true };
    if (present?.id === instance?.id) return { where: "present", hasTerminated: present?.hasTerminated ?? false };
    return { where: previous?.id === instance?.id ? "previous" : "lost", hasTerminated: true };
  }
}
