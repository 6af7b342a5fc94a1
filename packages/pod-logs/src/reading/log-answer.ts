import { KubeClientError, type KubeResponse } from "@binnacle/environment-view/transport";
import { quoted } from "@binnacle/words";

import type { LineFilter } from "../filter/filter.ts";
import { LogLineSplitter, type SplitLine, type TimedLine } from "../lines/log-line-splitter.ts";
import type { ResumePoint } from "../lines/resume-point.ts";
import type { LogsReader } from "../logs-query.ts";
import type { LineQueue } from "./line-queue.ts";
import type { FilteredLine, LineSink } from "./line-sink.ts";

/** How one request ended: the log's present end, the end of what is wanted, or the position may be that of the instance before. */
export type AttemptEnd = "end" | "until" | "check-previous";

/** Words of the kubelet in the place of a line. */
type Notice = Exclude<SplitLine, TimedLine>;

/** Lines that may be new wait so long for the position, when no further line comes. */
const SETTLE_MS = 1_000;

/** What an answer is read with. */
export interface LogAnswerOptions {
  readonly reader: Pick<LogsReader, "clock" | "limits">;
  readonly queue: LineQueue;
  readonly sink: LineSink;
  readonly filter: LineFilter;
  /** The position behind which lines are new; absent: all are. */
  readonly point: ResumePoint<FilteredLine> | undefined;
  /** Called when the log does not have the position. @returns how the request is to end; `undefined`: it goes on with new lines */
  readonly lost: () => AttemptEnd | undefined;
  /** Called for each line. @param isNew it is behind the position */
  readonly received: (isNew: boolean) => void;
  /** Ends the request. */
  readonly stop: () => void;
}

/** Reads the lines of one answer: first it searches the position, at most until no further line comes for a second, then all lines are new. */
export class LogAnswer {
  readonly #options: LogAnswerOptions;
  /** How the request ends while the next chunk is awaited. */
  #early: AttemptEnd | undefined;
  #cancel = (): void => {};

  constructor(options: LogAnswerOptions) {
    this.#options = options;
  }

  /**
   * Reads as fast as the queue has room.
   *
   * @param isFinal no line follows after the end of the answer
   * @throws KubeClientError for a line of the kubelet instead of the log; what the body breaks with. LogFilterError
   */
  async read(body: KubeResponse["body"], isFinal: boolean, signal: AbortSignal): Promise<AttemptEnd> {
    const { queue, reader, point } = this.#options;
    const splitter = new LogLineSplitter(reader.limits.lineBytes);
    try {
      for await (const chunk of body) {
        this.#cancel();
        for (const line of await this.#filtered([...splitter.linesOf(chunk)], signal)) {
          const end = this.#take(line);
          if (end !== undefined) return end;
          if (!queue.isFull) continue;
          await queue.room(signal);
          if (signal.aborted) return "end";
        }
        if (signal.aborted) return "end";
        this.#expectMore();
      }
      if (this.#early !== undefined) return this.#early;
      if (isFinal) {
        const rest = splitter.end();
        if (rest !== undefined) for (const line of await this.#filtered([rest], signal)) this.#take(line);
      }
      return (isFinal || point?.hasRetained === true ? this.#giveUp() : undefined) ?? "end";
    } catch (error) {
      if (this.#early !== undefined) return this.#early;
      throw error;
    } finally {
      this.#cancel();
    }
  }

  /** All lines of a chunk are filtered at once: an expression runs in a thread. */
  async #filtered(lines: readonly SplitLine[], signal: AbortSignal): Promise<readonly (FilteredLine | Notice)[]> {
    const { filter } = this.#options;
    if (filter.isEmpty) return lines.map((line) => ("notice" in line ? line : { ...line, isMatch: true }));
    const matches = await filter.matches(
      lines.map((line) => ("notice" in line ? "" : line.text)),
      signal,
    );
    return lines.map((line, index) => ("notice" in line ? line : { ...line, isMatch: matches[index] === 1 }));
  }

  #take(line: FilteredLine | Notice): AttemptEnd | undefined {
    if ("notice" in line) throw new KubeClientError("connection", quoted(line.notice));
    const { point, sink, received } = this.#options;
    const isNew = point?.state !== "searching";
    received(isNew);
    if (isNew) return sink.take(line) ? undefined : "until";
    return point.take(line) === "lost" ? this.#lost() : undefined;
  }

  #expectMore(): void {
    this.#cancel();
    const { point, reader, stop } = this.#options;
    if (point?.state !== "searching" || !point.hasRetained) return;
    this.#cancel = reader.clock.after(SETTLE_MS, () => {
      this.#early = this.#giveUp();
      if (this.#early !== undefined) stop();
    });
  }

  #giveUp(): AttemptEnd | undefined {
    const { point } = this.#options;
    if (point?.state !== "searching") return undefined;
    point.giveUp();
    return this.#lost();
  }

  #lost(): AttemptEnd | undefined {
    this.#cancel();
    return this.#options.lost();
  }
}
