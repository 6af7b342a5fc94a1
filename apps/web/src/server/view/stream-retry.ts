import { ProblemKind, type Problem } from "@binnacle/proto/dashboard";
import { Backoff, sleep, type Clock } from "@binnacle/rpc";

/** What is tried. */
export interface RetriedStream<T> {
  /**
   * One try. `began` says that the cluster has answered: earlier failures count no more.
   *
   * @returns the problem it ended with; `undefined` when it is to be tried again at once
   */
  readonly once: (began: () => void) => AsyncGenerator<T, Problem | undefined>;
  /** A problem as a message. */
  readonly told: (problem: Problem) => T;
  readonly clock: Clock;
  /** 0 ≤ random() < 1. */
  readonly random?: () => number;
}

/** Tries a stream again until a problem ends it that does not pass, or `signal` aborts; after 1 s, and ever later up to 10 s. */
export async function* retryStream<T>({ once, told, clock, random }: RetriedStream<T>, signal: AbortSignal): AsyncGenerator<T> {
  const backoff = new Backoff({ initialMs: 1_000, maxMs: 10_000, ...(random === undefined ? {} : { random }) });
  while (!signal.aborted) {
    const problem = yield* once(() => backoff.reset());
    if (signal.aborted) return;
    if (!problem) continue;
    yield told(problem);
    if (problem.kind !== ProblemKind.UNAVAILABLE) return;
    await sleep(clock, backoff.nextMs(), signal);
  }
}
