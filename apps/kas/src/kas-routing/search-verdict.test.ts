import { Fault } from "@binnacle/rpc";
import { expect, test } from "vitest";

import { contextOf } from "../agent-call/testing/call-context.ts";
import { refusalOf, timeoutFault, type Verdict } from "./search-verdict.ts";

const REQUEST = { agentId: 7n, method: "/s.S/M", connectionId: 3n, context: contextOf(), signal: new AbortController().signal };
const LIMIT: Verdict = { kind: "refused", fault: new Fault("share_exceeded", "yours", { retryAfterSeconds: 5 }) };
const FAILED: Verdict = { kind: "failed", message: "kas grpc://10.0.0.1:1: refused" };

test.each<[string, Verdict[], string | undefined]>([
  ["no kas has it", [{ kind: "absent" }, { kind: "absent" }], undefined],
  ["another may still have it", [{ kind: "cannot_impersonate" }, { kind: "asking" }], undefined],
  ["another cannot be queried", [{ kind: "cannot_impersonate" }, FAILED], undefined],
  ["another is only busy", [{ kind: "unknown_method" }, { kind: "busy" }], undefined],
  ["all that have it cannot", [{ kind: "absent" }, { kind: "cannot_impersonate" }], "cannot_impersonate"],
  ["two cannot, for two reasons", [{ kind: "unknown_method" }, { kind: "cannot_impersonate" }], "cannot_impersonate"],
  ["no kas offers the method", [{ kind: "unknown_method" }], "unknown_method"],
  ["a kas without more detail", [{ kind: "outdated" }], "agent_outdated"],
  ["the replica is nowhere", [{ kind: "absent" }, { kind: "replica_not_addressable" }], "replica_not_addressable"],
  ["one refuses, the other lacks it", [LIMIT, { kind: "absent" }], "share_exceeded"],
  ["one refuses, the other may give one", [LIMIT, { kind: "busy" }], undefined],
])("I6: %s", (_name, verdicts, reason) => {
  expect(refusalOf(REQUEST, verdicts)?.fault.reason).toBe(reason);
});

test("I6: limits are reported at once, permanent causes are checked twice", () => {
  expect(refusalOf(REQUEST, [LIMIT])?.provisional).toBe(false);
  expect(refusalOf(REQUEST, [{ kind: "unknown_method" }])?.provisional).toBe(true);
});

test("I7: a wait that timed out has no retry delay", () => {
  const places: Verdict[][] = [[{ kind: "absent" }], [{ kind: "busy" }], [FAILED], [{ kind: "asking" }], [{ kind: "unknown_method" }]];
  const faults = places.map((verdicts) => timeoutFault(REQUEST, verdicts));
  expect(faults.map((fault) => fault.reason)).toEqual([
    "agent_not_connected",
    "tunnels_busy",
    "peer_unreachable",
    "peer_unreachable",
    "unknown_method",
  ]);
  expect(faults.map((fault) => fault.retryAfterSeconds)).toEqual(faults.map(() => undefined));
});

test("XM10: the address of another kas is in the cause alone", () => {
  const fault = timeoutFault(REQUEST, [FAILED]);
  expect(fault.message).toBe("agent 7 is connected to another kas, which cannot be reached");
  expect(fault.cause).toMatchObject({ message: "kas grpc://10.0.0.1:1: refused" });
});
