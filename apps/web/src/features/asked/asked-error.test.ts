import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { isPassing, isSessionEnd, sentenceOfError } from "./asked-error.ts";

const ERRORS: readonly unknown[] = [
  ...Object.values(Code).flatMap((code) => (typeof code === "number" ? [new ConnectError(`said with ${code}`, code)] : [])),
  new DOMException("given up", "AbortError"),
  new DOMException("late", "TimeoutError"),
  new TypeError("Failed to fetch"),
  Object.assign(new Error("of the machine"), { code: 16 }),
  "words",
];

test.each(ERRORS)("an error says what Connect reads in it: %s", (error) => {
  const { code, rawMessage } = ConnectError.from(error);
  expect(sentenceOfError(error)).toBe(rawMessage);
  expect(isSessionEnd(error)).toBe(code === Code.Unauthenticated);
  const lasting = [Code.Canceled, Code.InvalidArgument, Code.NotFound, Code.PermissionDenied, Code.Unauthenticated, Code.Unimplemented];
  expect(isPassing(error)).toBe(!lasting.includes(code));
});

test("no error says nothing", () => {
  expect([sentenceOfError(null), sentenceOfError(undefined)]).toEqual([undefined, undefined]);
});
