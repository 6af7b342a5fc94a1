import { ProblemKind, WatchEnvironmentResponseSchema, type Problem, type WatchEnvironmentResponse } from "@binnacle/proto/dashboard";
import { Backoff, sleep, type Clock } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";

/** What is tried. */
export interface RetriedStream {
  /**
   * One try. `began` says that the cluster has answered: earlier failures count no more.
   *
   * @returns the problem it ended with; `undefined` when it is to be tried again at once
   */
  readonly once: (began: () => void) => AsyncGenerator<WatchEnvironmentResponse, Problem | undefined>;
  readonly clock: Clock;
  /** 0 ≤ random() < 1. */
  readonly random?: () => number;
}

/** Tries a stream again until a problem ends it that does not pass, or `signal` aborts; after 1 s, and ever later up to 10 s. */
export async function* retryStream({ once, clock, random }: RetriedStream, signal: AbortSignal): AsyncGenerator<WatchEnvironmentResponse> {
  const backoff = new Backoff({ initialMs: 1_000, maxMs: 10_000, ...(random === undefined ? {} : { random }) });
  while (!signal.aborted) {
    const problem = yield* once(() => backoff.reset());
    if (signal.aborted) return;
    if (!problem) continue;
    yield create(WatchEnvironmentResponseSchema, { sentAt: timestampFromMs(clock.now()), message: { case: "problem", value: problem } });
    if (problem.kind !== ProblemKind.UNAVAILABLE) return;
    await sleep(clock, backoff.nextMs(), signal);
  }
}
