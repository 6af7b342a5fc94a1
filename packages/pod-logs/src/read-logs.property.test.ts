import { createHash } from "node:crypto";

import { LogSourceState, type LogPosition } from "@binnacle/proto/dashboard-logs";
import { propertyRuns } from "@binnacle/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { LogClusterStandIn, WrittenLog, type WrittenLine } from "./log-cluster-stand-in.ts";
import { LogTally, podJson, QUERY, readerOf } from "./read-logs-harness.ts";
import { readLogs } from "./read-logs.ts";

const SECOND = 1_000_000_000n;
const START = 1_767_225_600n * SECOND;

/** Lines with times that repeat, and stand in seconds that repeat. */
const lines = fc
  .array(fc.tuple(fc.constantFrom(0n, 0n, 1n, 250_000_000n, SECOND), fc.string({ unit: "grapheme", maxLength: 40 })), { maxLength: 60 })
  .map((steps) => {
    let timeNanos = START;
    return steps.map(([step, text], n): WrittenLine => {
      timeNanos += step;
      return { timeNanos, text: n % 3 === 0 ? "same" : text.replaceAll(/[\r\n]/g, "") };
    });
  });
const breaks = fc.array(fc.integer({ min: 0, max: 2500 }), { maxLength: 6 });
const chunkSizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 });

function checksum(written: readonly WrittenLine[]): string {
  return createHash("sha256")
    .update(written.map(({ timeNanos, text }) => `${timeNanos} ${text}\n`).join(""))
    .digest("hex");
}

describe("a log that is read through breaks at any byte", () => {
  test("is the whole log, once, without a gap", async () => {
    await fc.assert(
      fc.asyncProperty(lines, breaks, chunkSizes, async (written, cuts, sizes) => {
        const log = new WrittenLog();
        log.write(...written);
        log.end();
        const cluster = new LogClusterStandIn({ chunkSizes: sizes, breakAfter: (n) => cuts[n] });
        cluster.setPod(podJson("p", { id: "a" }), { web: { present: log } });
        const tally = new LogTally();
        for await (const message of readLogs(QUERY, readerOf(cluster), new AbortController().signal)) tally.add(message);
        expect(tally.gaps).toEqual([]);
        expect(checksum(tally.linesOf("a"))).toBe(checksum(written));
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  test("and followed through a restart is both instances, once, without a gap, whenever the status shows it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ ofFirst: lines, ofSecond: lines, cuts: breaks, sizes: chunkSizes, isStatusLate: fc.boolean() }),
        async (drawn) => {
          const { ofFirst, ofSecond, cuts, sizes, isStatusLate } = drawn;
          const [first, second] = [new WrittenLog(), new WrittenLog()];
          const later = ofSecond.map(({ timeNanos, text }) => ({ timeNanos: timeNanos + 100n * SECOND, text }));
          const cluster = new LogClusterStandIn({ chunkSizes: sizes, breakAfter: (n) => cuts[n] });
          // Without a line of the first instance it is not known that the second one answers.
          const half = Math.ceil(ofFirst.length / 2);
          fc.pre(half > 0);
          first.write(...ofFirst.slice(0, half));
          cluster.setPod(podJson("p", { id: "a" }), { web: { present: first } });
          const stop = new AbortController();
          const tally = new LogTally();
          const reading = (async () => {
            for await (const message of readLogs({ ...QUERY, follow: true }, readerOf(cluster), stop.signal)) tally.add(message);
          })();
          await tally.until(() => tally.linesOf("a").length === half);
          first.write(...ofFirst.slice(half));
          first.end();
          const restarted = podJson("p", { id: "b", restarts: 1, previousId: "a", startedAt: "2026-01-01T00:01:40Z" });
          const logs = { web: { present: second, previous: first } };
          second.write(...later);
          if (isStatusLate) {
            cluster.setPod(podJson("p", { id: "a" }), logs);
            await tally.until(() => tally.linesOf("a").length >= ofFirst.length);
          }
          cluster.setPod(restarted, logs);
          const count = (): number => tally.lines.length;
          await tally.until(() => count() >= ofFirst.length + later.length);
          stop.abort();
          await reading;
          expect(tally.gaps).toEqual([]);
          expect(checksum(tally.lines.map(({ line }) => line))).toBe(checksum([...ofFirst, ...later]));
        },
      ),
      { numRuns: propertyRuns(100) },
    );
  });

  test("and by a client that comes back with its positions is the whole log, once", async () => {
    await fc.assert(
      fc.asyncProperty(lines, fc.integer({ min: 5, max: 20 }), chunkSizes, async (written, messages, sizes) => {
        const log = new WrittenLog();
        log.write(...written);
        log.end();
        const cluster = new LogClusterStandIn({ chunkSizes: sizes });
        cluster.setPod(podJson("p", { id: "a" }), { web: { present: log } });
        const tally = new LogTally();
        let positions: readonly LogPosition[] = [];
        let isOver = false;
        for (let turn = 0; turn < 200 && !isOver; turn += 1) {
          let seen = 0;
          isOver = true;
          const reader = { ...readerOf(cluster), limits: { reads: 4, sources: 10, lineBytes: 1000, batchBytes: 100 } };
          for await (const message of readLogs({ ...QUERY, positions }, reader, new AbortController().signal)) {
            tally.add(message);
            seen += 1;
            if (seen <= messages) continue;
            isOver = false;
            break;
          }
          positions = tally.positions;
        }
        expect(tally.gaps).toEqual([]);
        expect(checksum(tally.lines.map(({ line }) => line))).toBe(checksum(written));
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});

describe("the checksum", () => {
  async function read(log: WrittenLog, position: LogPosition): Promise<LogTally> {
    const cluster = new LogClusterStandIn();
    cluster.setPod(podJson("p", { id: "a" }), { web: { present: log } });
    const tally = new LogTally();
    for await (const message of readLogs({ ...QUERY, positions: [position] }, readerOf(cluster), new AbortController().signal))
      tally.add(message);
    return tally;
  }

  function numbered(from: number, to: number): WrittenLine[] {
    return Array.from({ length: to - from }, (_, n) => ({ timeNanos: START + BigInt(from + n) * 100_000_000n, text: `line ${from + n}` }));
  }

  async function positionAfter(written: readonly WrittenLine[]): Promise<LogPosition> {
    const log = new WrittenLog();
    log.write(...written);
    log.end();
    const cluster = new LogClusterStandIn();
    cluster.setPod(podJson("p", { id: "a" }), { web: { present: log } });
    const tally = new LogTally();
    for await (const message of readLogs(QUERY, readerOf(cluster), new AbortController().signal)) tally.add(message);
    const [position] = tally.positions;
    if (position === undefined) throw new Error("no position");
    return { ...position, reachedEnd: false };
  }

  test("of a log that lost lines differs, and a gap has the place", async () => {
    const position = await positionAfter(numbered(0, 10));
    const log = new WrittenLog();
    log.write(...numbered(15, 20));
    log.end();
    const tally = await read(log, position);
    expect(checksum([...numbered(0, 10), ...tally.linesOf("a")])).not.toBe(checksum(numbered(0, 20)));
    expect(tally.gaps).toEqual([{ after: START + 900_000_000n, before: START + 1_500_000_000n }]);
  });

  test("of a log that lost nothing is equal, and there is no gap", async () => {
    const position = await positionAfter(numbered(0, 10));
    const log = new WrittenLog();
    log.write(...numbered(5, 20));
    log.end();
    const tally = await read(log, position);
    expect(checksum([...numbered(0, 10), ...tally.linesOf("a")])).toBe(checksum(numbered(0, 20)));
    expect(tally.gaps).toEqual([]);
    expect(tally.states()).toEqual([LogSourceState.ENDED]);
  });
});
