import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";

import { CODE, httpStatusOf } from "./code.ts";
import { toConnectError } from "./connect-error.ts";
import { Fault, FAULTS } from "./fault.ts";

test("a fault keeps its code, message, reason and retry delay", () => {
  const error = toConnectError(new Fault("tunnels_busy", "agent 1 has no free tunnel", { retryAfterSeconds: 3 }));
  expect(error).toMatchObject({ code: Code.DeadlineExceeded, rawMessage: "agent 1 has no free tunnel" });
  expect(Object.fromEntries(error.metadata)).toEqual({ "binnacle-reason": "tunnels_busy", "retry-after": "3" });
});

test("a timeout is a deadline, not a cancellation; an abort is a cancellation", () => {
  expect(toConnectError(new DOMException("late", "TimeoutError")).code).toBe(Code.DeadlineExceeded);
  expect(toConnectError(new DOMException("gone", "AbortError")).code).toBe(Code.Canceled);
});

test("the message of a bug is withheld, its cause is not", () => {
  const bug = new TypeError("canary");
  const error = toConnectError(bug);
  expect(error).toMatchObject({ code: Code.Internal, rawMessage: "internal error", cause: bug });
  expect(error.message).not.toContain("canary");
  expect(toConnectError("canary").message).not.toContain("canary");
});

test("our numbers are the library's", () => {
  expect(CODE).toEqual(Object.fromEntries(Object.entries(Code).filter(([, number]) => typeof number === "number")));
});

test("a ConnectError passes as it is", () => {
  const error = new ConnectError("x", Code.DataLoss);
  expect(toConnectError(error)).toBe(error);
});

test("every fault has an HTTP status of its own kind", () => {
  const statuses = Object.values(FAULTS).map((code) => httpStatusOf(code));
  expect(statuses.filter((status) => status < 400 || status > 599)).toEqual([]);
  expect(httpStatusOf(FAULTS.token_unknown)).toBe(401);
  expect(httpStatusOf(FAULTS.agent_forbidden)).toBe(403);
  expect(httpStatusOf(FAULTS.agent_not_connected)).toBe(503);
  expect(httpStatusOf(FAULTS.tunnels_busy)).toBe(504);
});
