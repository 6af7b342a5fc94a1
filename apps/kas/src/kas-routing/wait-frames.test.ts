import { Fault } from "@binnacle/rpc";
import fc from "fast-check";
import { expect, test } from "vitest";

import { decodeWaitAnswer, decodeWaitRequest, encodeWait, refusalFault } from "./wait-frames.ts";

test("KB5: messages about waiting come out as they went in", () => {
  const wait = { kind: "wait", id: 3, context: "kind=user" } as const;
  expect(decodeWaitRequest(encodeWait(wait))).toEqual(wait);
  const refused = { kind: "refused", id: 3, reason: "queue_full", message: "no", retryAfterSeconds: 1 } as const;
  expect(decodeWaitAnswer(encodeWait(refused))).toEqual(refused);
});

test("KB5: anything else is a broken frame, never another error", () => {
  const outcomeOf = (decode: (bytes: Uint8Array) => unknown, bytes: Uint8Array): unknown => {
    try {
      decode(bytes);
      return "decoded";
    } catch (error) {
      return error instanceof Fault ? error.reason : error;
    }
  };
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        for (const decode of [decodeWaitRequest, decodeWaitAnswer]) expect(["decoded", "frame_order"]).toContain(outcomeOf(decode, bytes));
      },
    ),
  );
});

test("KB5: a rejection with an unknown reason counts as a full queue", () => {
  expect(refusalFault({ reason: "toString", message: "no" })).toMatchObject({ reason: "queue_full", message: "no" });
  expect(refusalFault({ reason: "watch_limit", message: "no", retryAfterSeconds: 5 })).toMatchObject({
    reason: "watch_limit",
    retryAfterSeconds: 5,
  });
});
