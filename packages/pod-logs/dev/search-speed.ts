// Prints how fast a made-up log is searched on one core, from the bytes of the kubelet to matches.
import { compileFilter, type LogFilterInit } from "../src/filter/filter.ts";
import { LogLineSplitter } from "../src/lines/log-line-splitter.ts";
import { LineQueue } from "../src/reading/line-queue.ts";
import { LineSink } from "../src/reading/line-sink.ts";

const CHUNK_BYTES = 64 * 1024;
const LINES = 500_000;

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

for (const [name, init] of FILTERS) {
  const selection = { filter: compileFilter(init) };
  const figures = [0, 1, 2].map(() => {
    const queue = new LineQueue(() => {});
    const sink = new LineSink(queue, selection, undefined);
    const splitter = new LogLineSplitter(CHUNK_BYTES);
    const began = performance.now();
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      for (const line of splitter.linesOf(bytes.subarray(at, at + CHUNK_BYTES))) {
        if ("timeNanos" in line) sink.take(line);
        while (!queue.isEmpty) queue.shift();
      }
    }
    return { perSecond: bytes.length / 1e6 / ((performance.now() - began) / 1000), matches: sink.counts.matches };
  });
  const best = Math.max(...figures.map(({ perSecond }) => perSecond));
  console.log(`${name}: ${best.toFixed(0)} MB/s, ${figures[0]?.matches ?? 0} matches in ${LINES} lines`);
}
