import { Fault } from "@binnacle/rpc";
import { expect, test } from "vitest";

import { contextOf } from "./testing/call-context.ts";
import { LogLines } from "../testing/log-lines.ts";
import type { AgentCallListener, CallResult } from "./agent-call.ts";
import { GuardedListener } from "./guarded-listener.ts";
import { noMetrics } from "./routing-metrics.ts";

const FAILED: CallResult = { code: 13, message: "broke", trailer: new Map(), stage: "answered" };
const FIELDS = { agent_id: "7", method: "/s.S/M", correlation_id: "trace" };

function guardOf(inner: Partial<AgentCallListener>): { guard: GuardedListener; lines: LogLines; bugs: () => number } {
  const lines = new LogLines();
  let bugs = 0;
  const metrics = { ...noMetrics, listenerBug: () => (bugs += 1) };
  const listener = { header: () => undefined, message: () => undefined, end: () => undefined, ...inner };
  const context = contextOf({ traceId: "trace" });
  const guard = new GuardedListener(listener, { agentId: 7n, method: "/s.S/M", context, log: lines.log, metrics });
  return { guard, lines, bugs: () => bugs };
}

test("KS9: what a listener throws is logged and counted once, with agent, method and trace, and still ends the call", () => {
  const bug = new TypeError("a bug of ours");
  const { guard, lines, bugs } = guardOf({
    message() {
      throw bug;
    },
    end() {
      throw bug;
    },
  });
  expect(() => guard.message(Buffer.from("x"))).toThrow(bug);
  expect(() => guard.message(Buffer.from("x"))).toThrow(bug);
  guard.end(FAILED);
  expect(lines.of("an error of ours ended a call")).toEqual([{ error: bug, ...FIELDS }]);
  expect(bugs()).toBe(1);
});

test("KS9: a Fault of a listener is no bug", () => {
  const { guard, lines, bugs } = guardOf({
    message() {
      throw new Fault("frame_order", "not now");
    },
  });
  expect(() => guard.message(Buffer.from("x"))).toThrow("not now");
  expect([lines.of("an error of ours ended a call"), bugs()]).toEqual([[], 0]);
});

test("a call that failed is a line under its trace id; one that went well or was left is none", () => {
  const { guard, lines } = guardOf({});
  guard.end({ ...FAILED, code: 0 });
  guard.end({ ...FAILED, code: 1 });
  guard.end(FAILED);
  expect(lines.of("a call failed")).toEqual([{ ...FIELDS, code: 13, stage: "answered", reason: "broke" }]);
});
