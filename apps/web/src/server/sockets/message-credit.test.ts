import { expect, test } from "vitest";

import { MessageCredit } from "./message-credit.ts";

const NEVER = new AbortController().signal;

test("T66: a message may be sent while any credit is left, and the next one only when what it had too much is granted", async () => {
  const credit = new MessageCredit(100);
  expect(credit.isSpent).toBe(true);
  credit.grant(10);
  await credit.available(NEVER);
  credit.take(60);
  let isGranted = false;
  const available = credit.available(NEVER).then(() => (isGranted = true));
  credit.grant(50);
  await Promise.resolve();
  expect([credit.isSpent, isGranted]).toEqual([true, false]);
  credit.grant(1);
  await available;
  expect(credit.isSpent).toBe(false);
});

test("T66: no more is counted than its bound, however much is granted", () => {
  const credit = new MessageCredit(100);
  for (let at = 0; at < 10; at += 1) credit.grant(4_294_967_295);
  credit.take(100);
  expect(credit.isSpent).toBe(true);
});

test("an abort ends the wait for credit", async () => {
  const credit = new MessageCredit(100);
  const abort = new AbortController();
  const available = credit.available(abort.signal);
  abort.abort();
  await available;
  await credit.available(abort.signal);
  expect(credit.isSpent).toBe(true);
});
