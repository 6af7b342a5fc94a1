import { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import { TurnBatch, writeInTurn } from "./turn-batch.ts";

const text = (chunks: readonly Uint8Array[]): string[] => chunks.map((chunk) => Buffer.from(chunk).toString());

/** A batch, and what it has sent. */
function batchOf(maxBytes = 8) {
  const sent: string[][] = [];
  const sink = { hasRoom: true };
  const batch = new TurnBatch(maxBytes, (chunks) => {
    sent.push(text(chunks));
    return sink.hasRoom;
  });
  return { batch, sent, sink };
}

describe("TurnBatch", () => {
  test("sends what one turn brings in one go, when the turn is over", async () => {
    const { batch, sent } = batchOf();
    expect([batch.write(Buffer.from("a")), batch.write(Buffer.from("b"))]).toEqual([true, true]);
    expect(sent).toEqual([]);
    await nextTurn();
    batch.write(Buffer.from("c"));
    await nextTurn();
    expect(sent).toEqual([["a", "b"], ["c"]]);
  });

  test("does not copy", async () => {
    const chunk = Buffer.from("a");
    const sent: (readonly Uint8Array[])[] = [];
    const batch = new TurnBatch(8, (chunks) => sent.push(chunks) > 0);
    batch.write(chunk);
    await nextTurn();
    expect(sent[0]?.[0]).toBe(chunk);
  });

  test("sends no more than its bound at once, unless one chunk is larger", async () => {
    const { batch, sent } = batchOf();
    for (const chunk of ["12345", "678", "9", "0123456789", "x"]) batch.write(Buffer.from(chunk));
    await nextTurn();
    expect(sent).toEqual([["12345", "678"], ["9"], ["0123456789"], ["x"]]);
  });

  test("keeps what comes while there is no room, and sends it when there is", async () => {
    const { batch, sent, sink } = batchOf();
    sink.hasRoom = false;
    batch.write(Buffer.from("a"));
    await nextTurn();
    expect(batch.write(Buffer.from("b"))).toBe(false);
    expect(batch.write(Buffer.from("123456789"))).toBe(false);
    await nextTurn();
    expect(sent).toEqual([["a"]]);
    sink.hasRoom = true;
    batch.drained();
    await nextTurn();
    expect(sent).toEqual([["a"], ["b", "123456789"]]);
    expect(batch.write(Buffer.from("c"))).toBe(true);
  });

  test("sends at once what has to come before something else, without room too", async () => {
    const { batch, sent, sink } = batchOf();
    sink.hasRoom = false;
    batch.write(Buffer.from("a"));
    batch.flush();
    batch.write(Buffer.from("b"));
    batch.flush();
    batch.flush();
    await nextTurn();
    expect(sent).toEqual([["a"], ["b"]]);
  });
});

test("chunks of one turn are written to a socket in one go", async () => {
  const written: string[][] = [];
  const socket = new Writable({
    highWaterMark: 3,
    write: (chunk: Buffer, _encoding, done) => (written.push(text([chunk])), done()),
    writev: (chunks, done) => (written.push(text(chunks.map(({ chunk }) => chunk as Buffer))), done()),
  });
  expect(["a", "b", "c"].map((chunk) => writeInTurn(socket, Buffer.from(chunk)))).toEqual([true, true, false]);
  expect(written).toEqual([]);
  await nextTurn();
  expect(socket.writableNeedDrain).toBe(false);
  writeInTurn(socket, Buffer.from("d"));
  await nextTurn();
  expect(written).toEqual([["a", "b", "c"], ["d"]]);
});
