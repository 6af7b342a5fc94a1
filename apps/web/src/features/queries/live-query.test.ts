import { Code, ConnectError } from "@connectrpc/connect";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";
import { liveQuery, type LiveQuestion } from "./live-query.ts";

/** When the next query begins after such a result, requested `sinceMs` ago; false: not before the view has changed. */
function nextAfter(answer: string, over: Partial<LiveQuestion<string>> = {}, sinceMs = 0): unknown {
  const clock = new ManualClock();
  const requestedMs = clock.now() - sinceMs;
  const question: LiveQuestion<string> = {
    queryKey: ["q"],
    ask: async () => answer,
    revision: 1,
    intervalMs: () => 500,
    clock,
    ...over,
  };
  const { refetchInterval } = liveQuery(question);
  const state = { data: { answer, revision: 1, requestedMs, answeredMs: requestedMs }, fetchStatus: "idle", status: "success" };
  // As much of a query as is looked at.
  return typeof refetchInterval === "function" ? refetchInterval({ state } as Parameters<typeof refetchInterval>[0]) : refetchInterval;
}

test("an answer of the view's state stands until that changes", () => {
  expect(nextAfter("a")).toBe(false);
  expect(nextAfter("a", { revision: 2 })).toBe(500);
  expect(nextAfter("a", { revision: 2 }, 400)).toBe(100);
  expect(nextAfter("a", { revision: 2 }, 4_000)).toBe(1);
});

test("a result that does not hold is queried again, at its own interval", () => {
  const holds = (answer: string): boolean => answer === "good";
  const intervalMs = (answer: string): number => (answer === "bad" ? 30_000 : 2_000);
  expect(nextAfter("good", { holds, intervalMs })).toBe(false);
  expect(nextAfter("old", { holds, intervalMs })).toBe(2_000);
  expect(nextAfter("bad", { holds, intervalMs })).toBe(30_000);
});

test("a clock that is set back does not stop the pace", () => {
  expect(nextAfter("a", { revision: 2 }, -3_600_000)).toBe(500);
});

test.each([
  [Code.PermissionDenied, 30_000],
  [Code.InvalidArgument, false],
  [Code.Unimplemented, false],
])("R3: after an error with code %i the next request begins after %j ms", (code, expected) => {
  const { refetchInterval } = liveQuery({
    queryKey: ["q"],
    ask: async () => "a",
    revision: 1,
    intervalMs: () => 500,
    clock: new ManualClock(),
  });
  // As much of a query as is looked at.
  const state = { data: undefined, error: new ConnectError("no", code), fetchStatus: "idle", status: "error" };
  expect(typeof refetchInterval === "function" && refetchInterval({ state } as never)).toBe(expected);
});
