import { ProblemKind, ProblemSchema, type Problem } from "@binnacle/proto/dashboard";
import { ManualClock } from "@binnacle/testing";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import { retryStream } from "./authorized-stream.ts";

const AWAY = create(ProblemSchema, { kind: ProblemKind.UNAVAILABLE });
const FORBIDDEN = create(ProblemSchema, { kind: ProblemKind.AGENT_FORBIDDEN });

/** One try: it begins or not, and ends with a problem. */
interface Try {
  readonly begins: boolean;
  readonly problem: Problem;
}

/** @returns when each try was made, in milliseconds, until one ends for good */
async function timesOf(tries: readonly Try[]): Promise<number[]> {
  const clock = new ManualClock(0);
  const times: number[] = [];
  async function* once(began: () => void): AsyncGenerator<Problem, Problem> {
    const now = tries[times.length];
    times.push(clock.now());
    if (now?.begins === true) began();
    yield* [];
    return Promise.resolve(now?.problem ?? FORBIDDEN);
  }
  const reading = (async () => {
    const toMessage = (problem: Problem): Problem => problem;
    for await (const problem of retryStream({ once, toMessage, clock, random: () => 1 }, new AbortController().signal))
      expect([AWAY, FORBIDDEN]).toContain(problem);
  })();
  await clock.elapse(60_000);
  await reading;
  return times;
}

const failed: Try = { begins: false, problem: AWAY };

test("a problem that passes is tried again, ever later", async () => {
  expect(await timesOf([failed, failed, failed])).toEqual([0, 1_000, 3_000, 7_000]);
});

test("W22: after the cluster has answered, earlier failures do not lengthen the backoff", async () => {
  expect(await timesOf([failed, failed, { begins: true, problem: AWAY }, failed])).toEqual([0, 1_000, 3_000, 4_000, 6_000]);
});
