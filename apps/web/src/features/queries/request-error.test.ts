import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { isPassing, isRefusal, isSessionEnd, sentenceOfError } from "./request-error.ts";

const ERRORS: readonly unknown[] = [
  ...Object.values(Code).flatMap((code) => (typeof code === "number" ? [new ConnectError(`message with ${code}`, code)] : [])),
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

test("only who was refused knows that nothing was done", () => {
  const refused = [Code.PermissionDenied, Code.NotFound, Code.Aborted, Code.Unauthenticated, Code.ResourceExhausted];
  expect(refused.every((code) => isRefusal(new ConnectError("no", code)))).toBe(true);
  const unknown = [Code.Unknown, Code.Unavailable, Code.DeadlineExceeded, Code.Internal, Code.Canceled];
  expect(unknown.some((code) => isRefusal(new ConnectError("lost", code)))).toBe(false);
  expect(isRefusal(new TypeError("Failed to fetch"))).toBe(false);
});

test("no error says nothing", () => {
  expect([sentenceOfError(null), sentenceOfError(undefined)]).toEqual([undefined, undefined]);
});
