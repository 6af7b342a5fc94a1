import { Duplex } from "node:stream";

import { beforeEach, expect, test } from "vitest";

import { ByteLedger } from "./byte-ledger.ts";
import { WRITE_BUDGET_BYTES, WriteBudget } from "./write-budget.ts";

/** A stream that keeps what is written to it, and takes it when the test says so. */
class Written extends Duplex {
  readonly chunks: Buffer[] = [];
  #taken: (() => void)[] = [];

  override _read(): void {}

  // oxlint-disable-next-line max-params -- Node calls it so
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.chunks.push(chunk);
    this.#taken.push(done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.chunks.push(...chunks.map(({ chunk }) => chunk));
    this.#taken.push(done);
  }

  takeAll(): void {
    for (const done of this.#taken.splice(0)) done();
  }
}

let stream: Written;
let budget: WriteBudget;
beforeEach(() => {
  stream = new Written();
  budget = new WriteBudget(stream);
});

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

test("small pieces of one tick leave as one buffer, in order, and large ones as they are", async () => {
  const large = Buffer.alloc(4_096, "l");
  budget.write([Buffer.from("a"), Buffer.from("b")]);
  budget.write([Buffer.from("c"), large]);
  budget.write([Buffer.from("d"), Buffer.alloc(0), Buffer.from("e")]);
  expect(stream.chunks).toEqual([]);
  await tick();
  expect(stream.chunks.map((chunk) => (chunk === large ? "large" : chunk.toString()))).toEqual(["abc", "large", "de"]);
});

test("what is flushed stands before the end of the stream, and nothing is written twice", async () => {
  budget.write([Buffer.from("last")]);
  budget.flush();
  stream.end();
  await tick();
  expect(stream.chunks.map(String)).toEqual(["last"]);
});

test("a stream that is gone before the tick is over takes nothing", async () => {
  budget.write([Buffer.from("late")]);
  stream.destroy();
  await tick();
  expect(stream.chunks).toEqual([]);
});

test("beyond the budget a write returns false at once; what waits is booked until the other side has taken it", async () => {
  const ledger = new ByteLedger({ processBytes: 2 ** 30, agentBytes: 2 ** 30, userBytes: 2 ** 30 });
  budget.book(ledger.open({ kind: "agent", id: "1" }, () => undefined));
  let drained = 0;
  budget.onDrain(() => (drained += 1));
  budget.onDrain(() => (drained += 1));
  expect(budget.write([Buffer.alloc(WRITE_BUDGET_BYTES - 1)])).toBe(true);
  expect(budget.write([Buffer.alloc(1)])).toBe(false);
  expect(ledger.held()).toBe(WRITE_BUDGET_BYTES);
  await tick();
  expect(ledger.held()).toBe(WRITE_BUDGET_BYTES);
  stream.takeAll();
  await tick();
  expect([ledger.held(), drained]).toEqual([0, 2]);
});
