import { expect, test } from "vitest";

import { CreditedOutput, MAX_CREDIT_BYTES } from "./credited-output.ts";

function output() {
  const log: (string | number)[] = [];
  const credited = new CreditedOutput({
    send: (bytes) => log.push(bytes.length),
    slow: (isSlow) => log.push(isSlow ? "pause" : "resume"),
  });
  return { credited, log };
}

test("bytes are sent as far as they are granted; the source is paused at the first byte that waits, and resumed when none does", () => {
  const { credited, log } = output();
  credited.grant(10);
  credited.push(Buffer.alloc(4));
  credited.push(Buffer.alloc(8));
  credited.push(Buffer.alloc(5));
  expect([log, credited.heldBytes]).toEqual([[4, 6, "pause"], 7]);
  credited.grant(6);
  expect([log.slice(3), credited.heldBytes]).toEqual([[2, 4], 1]);
  credited.grant(100);
  expect([log.slice(5), credited.heldBytes]).toEqual([[1, "resume"], 0]);
});

test("a page can grant no more than 64 KiB ahead", () => {
  const { credited, log } = output();
  for (let at = 0; at < 100; at++) credited.grant(4_294_967_295);
  credited.push(Buffer.alloc(200_000));
  const sent = log.reduce<number>((sum, each) => sum + (typeof each === "number" ? each : 0), 0);
  expect([sent, credited.heldBytes]).toEqual([MAX_CREDIT_BYTES, 200_000 - MAX_CREDIT_BYTES]);
});

test("bytes arrive in order and unchanged, whatever the pieces and the grants", () => {
  const received: Buffer[] = [];
  const credited = new CreditedOutput({ send: (bytes) => received.push(Buffer.from(bytes)), slow: () => undefined });
  const sent = Buffer.from(Array.from({ length: 5_000 }, (_, at) => at % 251));
  for (let at = 0; at < sent.length; at += 97) {
    credited.push(sent.subarray(at, at + 97));
    credited.grant(at % 130);
  }
  credited.grant(MAX_CREDIT_BYTES);
  expect(Buffer.concat(received).equals(sent)).toBe(true);
});

test("what was dropped is not sent", () => {
  const { credited, log } = output();
  credited.push(Buffer.alloc(10));
  credited.drop();
  credited.grant(100);
  expect([log, credited.heldBytes]).toEqual([["pause"], 0]);
});
