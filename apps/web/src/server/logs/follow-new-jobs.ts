import type { LogsQuery, LogTarget } from "@binnacle/pod-logs";
import { LogPositions } from "@binnacle/pod-logs/positions";
import { LogSourcesSchema, ReadLogsResponseSchema, type LogSource, type ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { sleep, type Clock } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";

/** How often the Jobs of a CronJob are listed: a run that takes less than a minute is still seen while it runs. */
const POLL_MS = 5_000;

/** What a stream over the Jobs of a CronJob is made of. */
export interface JobLogs {
  /** Uids of the Jobs that there are; `undefined` when they cannot be read now. */
  readonly jobs: (signal: AbortSignal) => Promise<ReadonlySet<string> | undefined>;
  /** Pods of the Jobs that there are. @throws KubeClientError */
  readonly targets: (signal: AbortSignal) => Promise<readonly LogTarget[]>;
  readonly read: (query: LogsQuery, signal: AbortSignal) => AsyncIterable<ReadLogsResponse>;
  readonly clock: Clock;
}

/**
 * Follows logs and begins to read later Jobs, too: when there is a new one, the read ends behind a message with positions, and another one
 * with all targets continues from there. Sources keep their numbers. A CronJob without a Job is waited for.
 *
 * @throws as `targets` and `read`
 */
export async function* followNewJobs(first: LogsQuery, of: JobLogs, signal: AbortSignal): AsyncGenerator<ReadLogsResponse, void, void> {
  const numbers = new SourceNumbers();
  const positions = new LogPositions(first.positions);
  let query = first;
  let known = (await of.jobs(signal)) ?? new Set<string>();
  if (query.targets.length === 0) yield sourcesMessage();
  while (!signal.aborted) {
    const round = new Round(signal);
    numbers.beginRead();
    const waiting = untilNewJob(of, known, round.signal).then((jobs) => {
      known = jobs ?? known;
      round.end();
    });
    // It is awaited below, after the read: a rejection before that is not unhandled.
    waiting.catch(() => undefined);
    try {
      if (query.targets.length > 0) {
        for await (const message of of.read({ ...query, positions: positions.list() }, round.readSignal)) {
          round.take(message);
          if (message.message.case === "lines") positions.advance(message.message.value.positions);
          yield numbers.renumbered(message);
          if (round.isOver) break;
          round.waits();
        }
      }
      await waiting;
    } catch (error) {
      if (!round.isOver || signal.aborted) throw error;
    } finally {
      round.close();
    }
    if (signal.aborted) return;
    query = { ...query, targets: await of.targets(signal) };
  }
}

/** One read. It may end where what was sent has a position: what comes after is read again by the next one. */
class Round {
  readonly signal: AbortSignal;
  readonly readSignal: AbortSignal;
  readonly #closed = new AbortController();
  readonly #read = new AbortController();
  #isEnding = false;
  #hasLoose = false;
  #isWaiting = true;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#closed.signal]);
    this.readSignal = AbortSignal.any([this.signal, this.#read.signal]);
  }

  get isOver(): boolean {
    return this.#isEnding && !this.#hasLoose;
  }

  /** A message has come: lines without a position belong to the next one with positions. */
  take({ message }: ReadLogsResponse): void {
    this.#isWaiting = false;
    if (message.case !== "lines") return;
    const { lines, positions } = message.value;
    this.#hasLoose = positions.length === 0 && (this.#hasLoose || lines.length > 0);
  }

  /** The next message is waited for. */
  waits(): void {
    this.#isWaiting = true;
  }

  end(): void {
    this.#isEnding = true;
    if (this.isOver && this.#isWaiting) this.#read.abort();
  }

  close(): void {
    this.#closed.abort();
  }
}

/**
 * Numbers of sources over all reads: the same run of a container has the same number. Only numbers of the last two reads are retained,
 * because a read names all that can still be read.
 */
class SourceNumbers {
  #ofEarlierRuns: ReadonlyMap<string, number> = new Map();
  #ofRun = new Map<string, number>();
  #ofRead = new Map<number, number>();
  #next = 1;

  renumbered(response: ReadLogsResponse): ReadLogsResponse {
    const { message } = response;
    if (message.case === "sources") for (const source of message.value.sources) source.id = this.#take(source.id, keyOf(source));
    if (message.case === "lines") for (const line of message.value.lines) line.source = this.#of(line.source);
    if (message.case === "gap") message.value.source = this.#of(message.value.source);
    if (message.case === "progress") for (const each of message.value.progresses) each.source = this.#of(each.source);
    return response;
  }

  /** Before its container has started, a source has a number of its own. */
  #take(id: number, run: string): number {
    const isStarted = !run.endsWith("/");
    const known = isStarted ? (this.#ofRun.get(run) ?? this.#ofEarlierRuns.get(run)) : undefined;
    const number = known ?? this.#ofRead.get(id) ?? this.#next++;
    if (isStarted) this.#ofRun.set(run, number);
    this.#ofRead.set(id, number);
    return number;
  }

  #of(id: number): number {
    return this.#ofRead.get(id) ?? 0;
  }

  /** Another read begins, which numbers its sources from 1. */
  beginRead(): void {
    // A read that could not list its pods has named nothing.
    if (this.#ofRun.size > 0) [this.#ofEarlierRuns, this.#ofRun] = [this.#ofRun, new Map()];
    this.#ofRead = new Map();
  }
}

async function untilNewJob(
  { jobs, clock }: Pick<JobLogs, "jobs" | "clock">,
  known: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  while (!signal.aborted) {
    await sleep(clock, POLL_MS, signal);
    const now = signal.aborted ? undefined : await jobs(signal);
    if (now !== undefined && [...now].some((uid) => !known.has(uid))) return now;
  }
  return undefined;
}

function keyOf(run: Pick<LogSource, "namespace" | "pod" | "container" | "containerId">): string {
  return `${run.namespace}/${run.pod}/${run.container}/${run.containerId}`;
}

function sourcesMessage(): ReadLogsResponse {
  return create(ReadLogsResponseSchema, { message: { case: "sources", value: create(LogSourcesSchema) } });
}
