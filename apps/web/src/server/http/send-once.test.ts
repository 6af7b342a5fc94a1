import type { Dispatcher } from "undici";
import { expect, test } from "vitest";

import { sendOnce } from "./http-dialer.ts";

/** A dispatcher that begins a request twice, as one does that queues it again; what came of it. */
function beginTwice(isSafe: boolean) {
  const seen: string[] = [];
  const aborted: (Error | undefined)[] = [];
  // Only these are read.
  const controller = { aborted: false, abort: (reason: Error) => void aborted.push(reason) } as unknown as Dispatcher.DispatchController;
  const dispatch = sendOnce({ isSafe, started: () => seen.push("started") })((_request, handler) => {
    for (let turn = 0; turn < 2; turn += 1) handler.onRequestStart?.(controller, undefined);
    return true;
  });
  dispatch({ path: "/", method: "PATCH" }, { onRequestStart: () => seen.push("begun") });
  return { seen, aborted };
}

test("a change that would go out a second time is broken off", () => {
  const { seen, aborted } = beginTwice(false);
  expect(seen).toEqual(["begun", "started"]);
  expect(aborted).toHaveLength(1);
});

test("a question may go out a second time", () => {
  const { seen, aborted } = beginTwice(true);
  expect(seen).toEqual(["begun", "started", "begun", "started"]);
  expect(aborted).toEqual([]);
});

test("what was aborted before it went out has not started", () => {
  const seen: string[] = [];
  // Only these are read.
  const controller = { aborted: true, abort: () => {} } as unknown as Dispatcher.DispatchController;
  const dispatch = sendOnce({ isSafe: false, started: () => seen.push("started") })((_request, handler) => {
    handler.onRequestStart?.(controller, undefined);
    return true;
  });
  dispatch({ path: "/", method: "PATCH" }, {});
  expect(seen).toEqual([]);
});
