import { ManualClock, settle, until } from "@binnacle/testing";
import { expect, test } from "vitest";

import type { LineFilter } from "../filter/filter.ts";
import { hashOf } from "../lines/log-line-splitter.ts";
import { LogTimes } from "../lines/log-time.ts";
import { ResumePoint } from "../lines/resume-point.ts";
import { LineQueue } from "./line-queue.ts";
import { LineSink, type FilteredLine } from "./line-sink.ts";
import { LogAnswer } from "./log-answer.ts";

const SECOND = "2026-01-01T00:00:00";

test("a position is not given up while a chunk that has it is filtered for longer than a second", async () => {
  const clock = new ManualClock();
  const filtered: (() => void)[] = [];
  const filter: LineFilter = {
    isEmpty: false,
    isInThread: true,
    contextLines: 0,
    matches: (lines) => new Promise((resolve) => filtered.push(() => resolve(Uint8Array.from(lines, () => 1)))),
    ranges: () => [],
  };
  const timeNanos = new LogTimes().parse(`${SECOND}.5Z`) ?? 0n;
  const point = new ResumePoint<FilteredLine>({ timeNanos, linesAtTime: 1, hash: hashOf({ text: "known", hash: undefined }) });
  let isLost = false;
  const queue = new LineQueue(() => {});
  const answer = new LogAnswer({
    reader: { clock, limits: { reads: 1, sources: 1, lineBytes: 1_000, batchBytes: 1_000 } },
    queue,
    sink: new LineSink(queue, { filter }, undefined),
    filter,
    point,
    lost: () => {
      isLost = true;
      return undefined;
    },
    received() {},
    stop() {},
  });
  async function* body(): AsyncGenerator<Uint8Array, void, void> {
    // Streams of a container are not quite in order.
    for (const line of [`${SECOND}.6Z other\n`, `${SECOND}.5Z known\n`, `${SECOND}.7Z new\n`])
      yield await Promise.resolve(Buffer.from(line));
  }
  const reading = answer.read(body(), true, new AbortController().signal);
  const pass = async (): Promise<void> => {
    await until(() => filtered.length > 0);
    filtered.shift()?.();
    await settle();
  };
  await pass();
  await until(() => filtered.length > 0);
  clock.advance(5_000);
  await pass();
  await pass();
  expect([await reading, isLost, point.state]).toEqual(["end", false, "found"]);
  const next = queue.shift();
  expect([next?.kind === "line" && next.line.text, queue.isEmpty]).toEqual(["new", true]);
});
