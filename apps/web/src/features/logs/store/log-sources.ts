import { LogPositions } from "@binnacle/pod-logs/positions";
import type { Words } from "@binnacle/proto/dashboard";
import { LogSourceState, type LogContainerKind, type LogPosition, type LogProgress, type LogSource } from "@binnacle/proto/dashboard-logs";

/** Colours that sources have in turn (logs.module.css). */
export const SOURCE_COLOURS = 8;

/** Sources that are over and of which no line is retained: the last of them, for the list of sources. */
const MAX_OVER = 100;

/** Dropped sources whose counts may still come. */
const MAX_DROPPED_COUNTS = 10_000;

/** A run of a container, over all streams that have read it. */
export interface ShownSource {
  /** From 1; the same after a reconnect, when the server numbers sources again. */
  readonly id: number;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly kind: LogContainerKind;
  /** Empty before it has started. */
  readonly containerId: string;
  readonly restarts: number | undefined;
  readonly state: LogSourceState;
  readonly words: Words | undefined;
  /** Role with the missing rule; empty unless the cluster has denied it. */
  readonly roleYaml: string;
  readonly hasLeft: boolean;
  /** Index of its colour, below `SOURCE_COLOURS`; runs of one container share it. */
  readonly colour: number;
  /** What was read of it; absent while the server counts nothing. */
  readonly progress: SourceProgress | undefined;
}

/** Counts of what was read. */
interface SourceProgress {
  readonly lines: number;
  readonly bytes: number;
  readonly matches: number;
  readonly reachedEnd: boolean;
}

type Named = Pick<LogSource, "namespace" | "pod" | "container">;

/**
 * The containers whose logs are read: found again in every stream, independent of their numbers there. A container that restarts for ever and pods that
 * come and go leave a bounded number of sources: those that are read, those with a retained line, and the last of the others.
 */
export class LogSources {
  readonly #sources = new Map<number, ShownSource>();
  /** Rows that are retained, by the id of their source. */
  readonly #rows = new Map<number, number>();
  /** Numbers of the present stream to ours. */
  #ids = new Map<number, number>();
  readonly #colours = new Map<string, number>();
  #nextColour = 0;
  readonly #positions = new LogPositions();
  /** Lines that were read of dropped sources: of earlier streams together, and of this one by its numbers, since counts may come later. */
  #droppedLines = 0;
  readonly #droppedCounts = new Map<number, number>();
  #nextId = 1;

  /** In the order in which they were first named. */
  list(): readonly ShownSource[] {
    return [...this.#sources.values()];
  }

  get(id: number): ShownSource | undefined {
    return this.#sources.get(id);
  }

  /** Lines that were read of sources that are not listed any more. */
  get droppedLines(): number {
    return this.#droppedLines + [...this.#droppedCounts.values()].reduce((sum, each) => sum + each, 0);
  }

  /** Our number of a source of the present stream; `undefined` if the stream has not named it. */
  idOf(streamId: number): number | undefined {
    return this.#ids.get(streamId);
  }

  /** A new stream begins: its numbers have nothing to do with those of the last one. */
  beginStream(): void {
    this.#ids = new Map();
    this.#foldDropped(0);
  }

  /** A row of a source is retained. */
  addRow(id: number): void {
    this.#rows.set(id, (this.#rows.get(id) ?? 0) + 1);
  }

  /** A row of a source fell off. */
  dropRow(id: number): void {
    const left = (this.#rows.get(id) ?? 0) - 1;
    if (left > 0) this.#rows.set(id, left);
    else this.#rows.delete(id);
  }

  /** Takes what the server sends about sources. @returns ids of sources that were dropped for it */
  take(sources: readonly LogSource[]): readonly number[] {
    for (const source of sources) {
      const id = this.#ids.get(source.id) ?? this.#known(source) ?? this.#nextId++;
      this.#ids.set(source.id, id);
      const before = this.#sources.get(id);
      this.#sources.set(id, {
        id,
        namespace: source.namespace,
        pod: source.pod,
        container: source.container,
        kind: source.kind,
        containerId: source.containerId === "" ? (before?.containerId ?? "") : source.containerId,
        restarts: source.restarts ?? before?.restarts,
        state: source.state,
        words: source.words,
        roleYaml: source.roleYaml,
        hasLeft: source.hasLeft,
        colour: this.#colourOf(source),
        progress: before?.progress,
      });
    }
    return this.#dropOver();
  }

  /** Takes counts of sources. */
  progress(progresses: readonly LogProgress[]): void {
    for (const { source, lines, bytes, matches, reachedEnd } of progresses) {
      if (this.#droppedCounts.has(source)) this.#droppedCounts.set(source, Number(lines));
      const shown = this.#sources.get(this.#ids.get(source) ?? 0);
      if (shown === undefined) continue;
      const progress = { lines: Number(lines), bytes: Number(bytes), matches: Number(matches), reachedEnd };
      this.#sources.set(shown.id, { ...shown, progress });
    }
  }

  /** Takes where sources have been read to. */
  advance(positions: readonly LogPosition[]): void {
    this.#positions.advance(positions);
  }

  /** Where to continue after a break. */
  positions(): LogPosition[] {
    return this.#positions.list();
  }

  #dropOver(): readonly number[] {
    const over = [...this.#sources.values()].filter(({ id, state }) => state === LogSourceState.ENDED && !this.#rows.has(id));
    const dropped = new Set(over.slice(0, Math.max(0, over.length - MAX_OVER)).map(({ id }) => id));
    if (dropped.size === 0) return [];
    const ofEarlierStreams = new Set(dropped);
    for (const [streamId, id] of this.#ids) {
      if (!dropped.has(id)) continue;
      this.#droppedCounts.set(streamId, this.#sources.get(id)?.progress?.lines ?? 0);
      ofEarlierStreams.delete(id);
      this.#ids.delete(streamId);
    }
    for (const id of ofEarlierStreams) this.#droppedLines += this.#sources.get(id)?.progress?.lines ?? 0;
    this.#foldDropped(MAX_DROPPED_COUNTS);
    for (const id of dropped) this.#sources.delete(id);
    const containers = new Set([...this.#sources.values()].map(keyOf));
    for (const container of this.#colours.keys()) if (!containers.has(container)) this.#colours.delete(container);
    return [...dropped];
  }

  /** Only so many dropped sources, the last ones, are counted one by one. */
  #foldDropped(max: number): void {
    for (const [streamId, lines] of this.#droppedCounts) {
      if (this.#droppedCounts.size <= max) return;
      this.#droppedCounts.delete(streamId);
      this.#droppedLines += lines;
    }
  }

  /** The same run, or one that had not started when it was last named. */
  #known(source: LogSource): number | undefined {
    const key = keyOf(source);
    let waiting: number | undefined;
    for (const each of this.#sources.values()) {
      if (keyOf(each) !== key) continue;
      if (each.containerId === source.containerId) return each.id;
      if (each.containerId === "") waiting = each.id;
    }
    return waiting;
  }

  #colourOf(named: Named): number {
    const key = keyOf(named);
    const colour = this.#colours.get(key) ?? this.#nextColour++ % SOURCE_COLOURS;
    this.#colours.set(key, colour);
    return colour;
  }
}

/** Name of a container in its cluster: `{namespace}/{pod}/{container}`. */
export function keyOf({ namespace, pod, container }: Named): string {
  return `${namespace}/${pod}/${container}`;
}

/** What a source is called beside its lines, by its id: as short as it differs from the others. */
export function sourceLabels(sources: readonly ShownSource[]): ReadonlyMap<number, string> {
  const containers = new Set(sources.map(({ container }) => container));
  const pods = new Set(sources.map(({ namespace, pod }) => `${namespace}/${pod}`));
  const namespaces = new Set(sources.map(({ namespace }) => namespace));
  const runs = new Map<string, number>();
  for (const source of sources) runs.set(keyOf(source), (runs.get(keyOf(source)) ?? 0) + 1);
  return new Map(
    sources.map((source) => {
      const parts = [
        ...(namespaces.size > 1 ? [source.namespace] : []),
        ...(pods.size > 1 ? [source.pod] : []),
        ...(containers.size > 1 || pods.size === 1 ? [source.container] : []),
      ];
      const run = (runs.get(keyOf(source)) ?? 0) > 1 && source.restarts !== undefined ? ` #${source.restarts}` : "";
      return [source.id, `${parts.join("/")}${run}`];
    }),
  );
}
