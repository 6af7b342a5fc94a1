import type { LogsQuery } from "@binnacle/pod-logs";
import { ReadLogsResponseSchema, type ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { ManualClock } from "@binnacle/testing";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import { followNewJobs } from "./follow-new-jobs.ts";

const QUERY: LogsQuery = {
  targets: [{ namespace: "shop", labelSelector: "job=1" }],
  containers: [],
  previous: false,
  follow: true,
  filter: {},
  positions: [],
};
const message = (value: MessageInitShape<typeof ReadLogsResponseSchema>["message"]): ReadLogsResponse =>
  create(ReadLogsResponseSchema, { ...(value && { message: value }) });
const source = (id: number, pod: string) => ({ id, namespace: "shop", pod, container: "run", containerId: `${pod}-run` });
const position = (pod: string, second: number) => ({
  namespace: "shop",
  pod,
  container: "run",
  containerId: `${pod}-run`,
  time: { seconds: BigInt(second) },
  linesAtTime: 1,
});

test("a new Job ends the read behind the next positions, and the next read continues there with the same numbers of sources", async () => {
  const clock = new ManualClock();
  const end = new AbortController();
  let jobs = new Set(["1"]);
  const queries: LogsQuery[] = [];
  async function* read(query: LogsQuery, signal: AbortSignal): AsyncGenerator<ReadLogsResponse> {
    queries.push(query);
    const isFirst = queries.length === 1;
    // The second read numbers them otherwise.
    yield message({ case: "sources", value: { sources: isFirst ? [source(1, "a")] : [source(1, "b"), source(2, "a")] } });
    if (!isFirst) {
      yield message({
        case: "lines",
        value: {
          lines: [
            { source: 2, text: "3" },
            { source: 1, text: "b" },
          ],
          positions: [position("a", 3)],
        },
      });
      end.abort();
      return;
    }
    yield message({ case: "lines", value: { lines: [{ source: 1, text: "1" }], positions: [position("a", 1)] } });
    jobs = new Set(["1", "2"]);
    clock.advance(6_000);
    await new Promise((resolve) => setImmediate(resolve));
    // These lines have no position yet: the read must not end behind them.
    yield message({ case: "lines", value: { lines: [{ source: 1, text: "2" }] } });
    yield message({ case: "lines", value: { lines: [], positions: [position("a", 2)] } });
    if (!signal.aborted) yield message({ case: "lines", value: { lines: [{ source: 1, text: "read again" }] } });
  }
  const of = { jobs: () => Promise.resolve(jobs), targets: () => Promise.resolve([{ namespace: "shop" }]), read, clock };
  const seen: string[] = [];
  for await (const { message: came } of followNewJobs(QUERY, of, end.signal))
    if (came.case === "lines") seen.push(...came.value.lines.map(({ source: id, text }) => `${id} ${text}`));
  expect(seen).toEqual(["1 1", "1 2", "1 3", "2 b"]);
  expect(queries.map(({ targets, positions }) => [targets, positions.map(({ time }) => time?.seconds)])).toEqual([
    [QUERY.targets, []],
    [[{ namespace: "shop" }], [2n]],
  ]);
});

test("a failure of the read is one of the stream, and a Job that left is no reason for another read", async () => {
  const clock = new ManualClock();
  let reads = 0;
  async function* read(): AsyncGenerator<ReadLogsResponse> {
    reads += 1;
    yield message({ case: "sources", value: { sources: [] } });
    clock.advance(6_000);
    await new Promise((resolve) => setImmediate(resolve));
    throw new Error("the connection broke");
  }
  let calls = 0;
  const jobs = () => Promise.resolve(new Set((calls += 1) === 1 ? ["1", "2"] : ["2"]));
  const follow = followNewJobs(QUERY, { jobs, targets: () => Promise.resolve([]), read, clock }, new AbortController().signal);
  await expect(
    (async () => {
      for await (const _ of follow);
    })(),
  ).rejects.toThrow("the connection broke");
  expect([reads, calls]).toEqual([1, 2]);
});

test("Jobs that come and go for ever leave a bounded number of positions, and those of a run that is still read are exact", async () => {
  const clock = new ManualClock();
  const end = new AbortController();
  const READS = 1_200;
  let job = 0;
  let numbers: number[] = [];
  let last: LogsQuery | undefined;
  async function* read(query: LogsQuery, signal: AbortSignal): AsyncGenerator<ReadLogsResponse> {
    last = query;
    yield message({ case: "sources", value: { sources: [source(1, `job-${job}`), source(2, "long")] } });
    const done = { ...position(`job-${job}`, job), reachedEnd: true };
    yield message({ case: "lines", value: { lines: [{ source: 2, text: String(job) }], positions: [done, position("long", job)] } });
    job += 1;
    if (job === READS) {
      end.abort();
      return;
    }
    clock.advance(6_000);
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  }
  const jobs = () => Promise.resolve(new Set([String(job)]));
  const of = { jobs, targets: () => Promise.resolve([{ namespace: "shop" }]), read, clock };
  for await (const { message: came } of followNewJobs(QUERY, of, end.signal))
    if (came.case === "lines") numbers = [...numbers, ...came.value.lines.map(({ source: id }) => id)];
  expect(numbers).toEqual(Array.from({ length: READS }, () => 2));
  const positions = last?.positions ?? [];
  expect(positions).toHaveLength(1_000);
  expect(positions.find(({ pod }) => pod === "long")?.time?.seconds).toBe(BigInt(READS - 2));
  expect(positions.some(({ pod }) => pod === `job-${READS - 2}`)).toBe(true);
});
