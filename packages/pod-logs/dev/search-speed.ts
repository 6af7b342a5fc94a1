// Prints how fast a made-up log is searched, from the bytes of the kubelet to matches: by the clock, and by the time of all threads.
import { systemClock } from "@binnacle/rpc";

import { nodeExpressions } from "../src/expressions/node-expressions.ts";
import { openFilter, type LogFilterInit } from "../src/filter/filter.ts";
import { LineQueue } from "../src/reading/line-queue.ts";
import { LineSink } from "../src/reading/line-sink.ts";
import { LogAnswer } from "../src/reading/log-answer.ts";

/** Agents read pieces of this size. */
const CHUNK_BYTES = 32 * 1024;
const LINES = 500_000;
/** Containers that are read at a time. */
const READERS = 4;

const bytes = Buffer.from(
  Array.from({ length: LINES }, (_, n) => {
    const fraction = String(n).padStart(9, "0");
    const message = `level=info msg="request served by upstream" path=/api/v1/items/${(n * 7919) % 100_003} status=${n % 500 === 0 ? 503 : 200}`;
    return `2026-01-01T00:00:00.${fraction}Z time=2026-01-01T00:00:00.${fraction}Z ${message} duration=${n % 977}ms client=10.0.${n % 256}.7\n`;
  }).join(""),
);

const FILTERS: readonly (readonly [string, LogFilterInit])[] = [
  ["plain text", { pattern: "STATUS=503" }],
  ["plain text, with case", { pattern: "status=503", matchesCase: true }],
  ["expression", { pattern: String.raw`status=50\d .*duration=9\d\dms`, isRegularExpression: true }],
  ["expression, with case", { pattern: String.raw`status=50\d .*duration=9\d\dms`, isRegularExpression: true, matchesCase: true }],
  ["levels", { levels: [4] }],
];

const never = new AbortController().signal;
const expressions = nodeExpressions(systemClock);
// The thread alone does not keep the process running.
const alive = setInterval(() => {}, 1_000);

async function* chunks(from: number, to: number): AsyncGenerator<Uint8Array, void, void> {
  for (let at = from; at < to; at += CHUNK_BYTES) {
    // As agents do: one piece per turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    yield bytes.subarray(at, Math.min(at + CHUNK_BYTES, to));
  }
}

/** Where each reader begins: at a line. */
const starts = Array.from({ length: READERS }, (_, n) => (n === 0 ? 0 : bytes.indexOf(10, Math.floor((bytes.length / READERS) * n)) + 1));

async function search(init: LogFilterInit): Promise<number> {
  const filter = openFilter(init, expressions);
  const matches = starts.map(async (from, n) => {
    const queue: LineQueue = new LineQueue(() => void queue.shift());
    const sink = new LineSink(queue, { filter }, undefined);
    const reader = { clock: systemClock, limits: { reads: 1, sources: 1, lineBytes: 16 * 1024, batchBytes: 64 * 1024 } };
    const answer = new LogAnswer({ reader, queue, sink, filter, point: undefined, lost: () => undefined, received() {}, stop() {} });
    await answer.read(chunks(from, starts[n + 1] ?? bytes.length), true, never);
    return sink.counts.matches;
  });
  return (await Promise.all(matches)).reduce((sum, count) => sum + count, 0);
}

for (const [name, init] of FILTERS) {
  const figures: { readonly perSecond: number; readonly perCpuSecond: number; readonly matches: number }[] = [];
  for (let round = 0; round < 3; round += 1) {
    const [began, cpu] = [performance.now(), process.cpuUsage()];
    const matches = await search(init);
    const { user, system } = process.cpuUsage(cpu);
    const megabytes = bytes.length / 1e6;
    figures.push({
      perSecond: megabytes / ((performance.now() - began) / 1e3),
      perCpuSecond: megabytes / ((user + system) / 1e6),
      matches,
    });
  }
  const best = (of: "perSecond" | "perCpuSecond"): string => Math.max(...figures.map((figure) => figure[of])).toFixed(0);
  console.log(
    `${name}: ${best("perSecond")} MB/s, ${best("perCpuSecond")} MB per second of CPU, ${figures[0]?.matches ?? 0} matches in ${LINES} lines`,
  );
}
clearInterval(alive);
expressions.close();
