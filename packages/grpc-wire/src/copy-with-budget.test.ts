import { PassThrough, Readable } from "node:stream";

import { expect, test } from "vitest";

import { copyWithBudget, sinkOf, TURN_BYTES, type ByteSink } from "./copy-with-budget.ts";

const chunk = Buffer.alloc(32 * 1024, 1);

function collector(): ByteSink & { bytes: number; room: boolean; resume: () => void; forgotten: boolean } {
  return {
    forgotten: false,
    bytes: 0,
    room: true,
    resume: () => {},
    write(piece) {
      this.bytes += piece.byteLength;
      return this.room;
    },
    onDrain(resume) {
      this.resume = resume;
      return () => {
        this.resume = () => {};
        this.forgotten = true;
      };
    },
  };
}

test("moves everything and ends neither side", async () => {
  const target = new PassThrough();
  let read = 0;
  target.on("data", (piece: Buffer) => (read += piece.length));
  await copyWithBudget(Readable.from(Array.from({ length: 50 }, () => chunk)), sinkOf(target));
  await new Promise((resolve) => setImmediate(resolve));
  expect(read).toBe(50 * chunk.length);
  expect(target.writableEnded).toBe(false);
});

test("moves at most 128 KiB and a chunk per turn of the event loop", async () => {
  const source = new Readable({ highWaterMark: 16 * 1024 * 1024, read() {} });
  for (let count = 0; count < 100; count += 1) source.push(chunk);
  source.push(null);
  const sink = collector();
  let max = 0;
  let before = 0;
  let running = true;
  const turn = (): void => {
    max = Math.max(max, sink.bytes - before);
    before = sink.bytes;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await copyWithBudget(source, sink);
  running = false;
  expect(sink.bytes).toBe(100 * chunk.length);
  expect(max).toBeLessThanOrEqual(TURN_BYTES + chunk.length);
});

test("stops while the sink is full and goes on when it drains", async () => {
  const sink = collector();
  sink.room = false;
  const done = copyWithBudget(Readable.from([chunk, chunk, chunk]), sink);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(sink.bytes).toBe(chunk.length);
  sink.room = true;
  sink.resume();
  await done;
  expect(sink.bytes).toBe(3 * chunk.length);
});

test("fails when the source fails, closes early or is given up", async () => {
  const broken = new Readable({ read() {} });
  const failure = copyWithBudget(broken, collector());
  broken.destroy(new Error("cable"));
  await expect(failure).rejects.toThrow("cable");

  const closed = new Readable({ read() {} });
  const early = copyWithBudget(closed, collector());
  closed.destroy();
  await expect(early).rejects.toThrow("before its end");

  const stop = new AbortController();
  const given = copyWithBudget(new Readable({ read() {} }), collector(), stop.signal);
  stop.abort(new Error("enough"));
  await expect(given).rejects.toThrow("enough");
});

test("M14: a source that is over already settles the copy at once", async () => {
  const ended = Readable.from([]);
  ended.resume();
  await new Promise((resolve) => ended.once("close", resolve));
  await copyWithBudget(ended, collector());

  const broken = new Readable({ read() {} });
  broken.on("error", () => {});
  broken.destroy(new Error("cable"));
  await new Promise((resolve) => broken.once("close", resolve));
  await expect(copyWithBudget(broken, collector())).rejects.toThrow("cable");

  const closed = new Readable({ read() {} });
  closed.destroy();
  await new Promise((resolve) => closed.once("close", resolve));
  await expect(copyWithBudget(closed, collector())).rejects.toThrow("before its end");
});

test("M14: no listener stays on the sink", async () => {
  const target = new PassThrough();
  target.resume();
  for (let copy = 0; copy < 20; copy += 1) await copyWithBudget(Readable.from([chunk]), sinkOf(target));
  expect(target.listenerCount("drain")).toBe(0);
  const sink = collector();
  await copyWithBudget(Readable.from([chunk]), sink);
  expect(sink.forgotten).toBe(true);
});
