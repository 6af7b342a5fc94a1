import { KubeClientError, type KubeResponse } from "@binnacle/environment-view/transport";
import { LogSourceState } from "@binnacle/proto/dashboard-logs";
import { Backoff, sleep } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";

import { LogFilterError } from "../filter/filter.ts";
import type { LogsReader } from "../logs-query.ts";
import { ResumePoint, searchStart, type LinePosition } from "../lines/resume-point.ts";
import type { LineQueue } from "./line-queue.ts";
import { LineSink, type FilteredLine, type LineSelection, type ReadCounts } from "./line-sink.ts";
import { LogAnswer, type AttemptEnd } from "./log-answer.ts";
import { requestLog, type ContainerName } from "./log-request.ts";

/** Where an instance of a container can be read now; `lost` and `gone` (with its pod): nowhere. */
export interface InstancePlace {
  readonly where: "present" | "previous" | "lost" | "gone";
  readonly hasTerminated: boolean;
}

/** Where the reading of an instance begins. */
export interface StartPoint {
  /** Behind this line. That the log has it no longer is a gap. */
  readonly position?: LinePosition | undefined;
  /** Behind this line if the log has it: it may be of the instance before. */
  readonly hint?: LinePosition | undefined;
  /** Lines are missing before the first one, after this time. */
  readonly gapAfterNanos?: bigint | undefined;
  /** The last lines only. */
  readonly tailLines?: number | undefined;
}

/** What a reader works with. */
export interface ContainerReaderOptions {
  readonly reader: LogsReader;
  readonly name: ContainerName;
  readonly follow: boolean;
  readonly selection: LineSelection;
  readonly start: StartPoint;
  readonly place: () => InstancePlace;
  readonly queue: LineQueue;
  /** Called when the state changes; words for states that have some. */
  readonly changed: (state: LogSourceState, why?: Words) => void;
}

/** How reading ended. */
export type ReadOutcome = "ended" | "refused" | "failed" | "aborted";

/** Failures in a row that are reported, and after which one that is not followed is given up. */
const MIN_REPORTED_FAILURES = 2;
const MAX_FAILURES = 6;
/** A kubelet sends the head of an answer with the first line: of an empty log none comes, until a proxy between gives up. */
const SILENT_MS = 20_000;

/**
 * Reads the log of one instance of a container: what there is, then what follows. Continues behind the last line after a break; a line
 * that the log no longer has becomes a gap.
 */
export class ContainerReader {
  readonly #options: ContainerReaderOptions;
  readonly #sink: LineSink;
  readonly #backoff: Backoff;
  #isCaughtUp = false;
  /** The last request was followed to a regular end. */
  #endedRegularly = false;
  #failures = 0;
  /** The next request is for the previous instance, to learn whether the position is there. */
  #triesPrevious = false;
  #previousChecked = false;

  constructor(options: ContainerReaderOptions) {
    const { random } = options.reader;
    this.#options = options;
    this.#sink = new LineSink(options.queue, options.selection, options.start.position);
    this.#backoff = new Backoff({ initialMs: 100, maxMs: 10_000, ...(random === undefined ? {} : { random }) });
    if (options.start.gapAfterNanos !== undefined) this.#sink.expectGap(options.start.gapAfterNanos);
  }

  get counts(): ReadCounts {
    return this.#sink.counts;
  }

  get position(): LinePosition | undefined {
    return this.#sink.position;
  }

  /** What there was at the beginning has been read. */
  get isCaughtUp(): boolean {
    return this.#isCaughtUp;
  }

  /** @throws KubeClientError `unauthorized`: the credential is not accepted. LogFilterError */
  async run(signal: AbortSignal): Promise<ReadOutcome> {
    const { place, reader, follow } = this.#options;
    while (!signal.aborted) {
      const now = place();
      if (now.where === "lost" || now.where === "gone") return this.#leave();
      const follows = follow && this.#isCaughtUp && !now.hasTerminated && now.where === "present" && !this.#triesPrevious;
      const triedPrevious = this.#triesPrevious;
      try {
        const end = await this.#attempt({ ...now, follows }, signal);
        if (signal.aborted) break;
        this.#failures = 0;
        if (end === "check-previous") continue;
        const isOver = end === "until" || !follow || now.hasTerminated || now.where === "previous" || triedPrevious;
        if (isOver) return this.#finish();
        this.#isCaughtUp = true;
        // The container may be about to end, or a proxy between has closed the connection.
        if (follows) await sleep(reader.clock, this.#backoff.nextMs(), signal);
      } catch (error) {
        if (signal.aborted) break;
        const outcome = this.#failed(error);
        if (outcome !== undefined) return outcome;
        await sleep(reader.clock, this.#backoff.nextMs(), signal);
      }
    }
    return "aborted";
  }

  async #attempt(place: InstancePlace & { readonly follows: boolean }, signal: AbortSignal): Promise<AttemptEnd> {
    const { reader, queue, name, start, selection } = this.#options;
    const { position } = this;
    const isPrevious = place.where === "previous" || this.#triesPrevious;
    const searched = position ?? start.hint;
    const point = searched === undefined ? undefined : new ResumePoint<FilteredLine>(searched);
    const stop = new AbortController();
    const inner = AbortSignal.any([signal, stop.signal]);
    const tail = position === undefined && !this.#isCaughtUp ? start.tailLines : undefined;
    // One line gives the position behind which new ones are.
    this.#sink.isSilent = tail === 0;
    const request = {
      previous: isPrevious,
      follow: place.follows,
      sinceNanos: position === undefined ? selection.sinceNanos : searchStart(position),
      tailLines: tail === undefined ? undefined : Math.max(1, tail),
    };
    const requestedAtMs = reader.clock.now();
    let response: KubeResponse;
    try {
      response = await requestLog(name, request, { ...reader, signal: inner });
    } catch (error) {
      // Nothing was written meanwhile.
      if (place.follows && position === undefined && isNoAnswer(error) && reader.clock.now() - requestedAtMs > SILENT_MS) return "end";
      throw error;
    }
    this.#endedRegularly = false;
    this.#options.changed(LogSourceState.READING);
    const answer = new LogAnswer({
      reader,
      queue,
      sink: this.#sink,
      filter: selection.filter,
      point,
      lost: () => this.#settleLost(point, isPrevious),
      received: (isNew) => {
        this.#failures = 0;
        if (isNew) this.#backoff.reset();
      },
      stop: () => stop.abort(),
    });
    try {
      const isFinal = place.hasTerminated || isPrevious || !this.#options.follow;
      const end = await answer.read(response.body, isFinal, signal);
      this.#endedRegularly = end === "end" && place.follows && point?.state !== "searching";
      return end;
    } finally {
      if (point?.state === "found") this.#previousChecked = false;
      this.#sink.isSilent = false;
      response.close();
    }
  }

  /** The position was not found. @returns how the request is to end; `undefined`: it goes on, with the lines that were retained */
  #settleLost(point: ResumePoint<FilteredLine> | undefined, isPrevious: boolean): AttemptEnd | undefined {
    const { place } = this.#options;
    if (point === undefined) return undefined;
    const { position } = this;
    if (position !== undefined) {
      const isProbe = isPrevious && this.#triesPrevious && place().where !== "previous";
      if (isProbe || (!isPrevious && !this.#previousChecked)) {
        // The container may have restarted before its status shows it: its last lines are those of the previous instance then.
        this.#triesPrevious = !isProbe;
        this.#previousChecked = true;
        return "check-previous";
      }
      this.#sink.expectGap(position.timeNanos);
    }
    return this.#takeAll(point.takeRetained());
  }

  #takeAll(lines: readonly FilteredLine[]): AttemptEnd | undefined {
    for (const line of lines) if (!this.#sink.take(line)) return "until";
    return undefined;
  }

  /** @returns how it ended; `undefined` when it is to be tried again */
  #failed(error: unknown): ReadOutcome | undefined {
    // The filter is that of all containers.
    if (error instanceof LogFilterError) throw error;
    if (!(error instanceof KubeClientError)) {
      this.#endedRegularly = false;
      return this.#retry(words("answer/broken"));
    }
    if (error.failure === "unauthorized") throw error;
    if (error.failure === "busy" && error.status === undefined) {
      // Another read has its place for a while: nothing is wrong with the container.
      this.#endedRegularly = false;
      return undefined;
    }
    const { changed, place, name, follow } = this.#options;
    const code = error.failure === "api" ? error.status?.code : undefined;
    if (code === 403) {
      changed(LogSourceState.REFUSED, words("logs/refused", { namespace: name.namespace }));
      return "refused";
    }
    if (code === 400 && this.#triesPrevious && place().where !== "previous") {
      this.#triesPrevious = false;
      return undefined;
    }
    if (code === 400 && place().where === "previous") return this.#leave();
    if (code === 404 && !follow) return this.#leave();
    // A pod that is gone has written nothing since its log ended; of one that cannot be reached that is not known.
    if (code === undefined || code >= 500) this.#endedRegularly = false;
    return this.#retry(error.words);
  }

  #retry(why: Words): ReadOutcome | undefined {
    const { changed, follow } = this.#options;
    this.#failures += 1;
    const isGivenUp = !follow && this.#failures >= MAX_FAILURES;
    if (this.#failures >= MIN_REPORTED_FAILURES || isGivenUp) changed(LogSourceState.FAILED, why);
    return isGivenUp ? "failed" : undefined;
  }

  /** The instance can be read no longer: what was written since is missing, unless its end was seen. */
  #leave(): ReadOutcome {
    if (!this.#endedRegularly && this.position !== undefined) this.#sink.expectGap(this.position.timeNanos);
    return this.#finish();
  }

  #finish(): ReadOutcome {
    this.#isCaughtUp = true;
    this.#sink.end();
    return "ended";
  }
}

function isNoAnswer(error: unknown): boolean {
  return error instanceof KubeClientError && (error.failure === "connection" || error.failure === "timeout");
}
