import { ByteLedger } from "@binnacle/grpc-wire";
import { Fault } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { beforeEach, expect, test } from "vitest";

import type { Caller } from "../agent-call/call-context.ts";
import { exchangeHandlers } from "./exchange-handlers.ts";
import { createKasMetrics, type KasMetrics } from "./metrics.ts";

const ANN: Caller = { kind: "user", id: "1" };

let metrics: KasMetrics;
let ledger: ByteLedger;
let handlers: ReturnType<typeof exchangeHandlers>;
beforeEach(() => {
  metrics = createKasMetrics({ version: "1.2.3", gitRef: "abc" });
  ledger = new ByteLedger({ processBytes: 1_000, agentBytes: 100, userBytes: 100 });
  handlers = exchangeHandlers({ metrics, ledger, registry: { isShort: (agentId) => agentId === 9n }, log: createLogger("test", "silent") });
});

test("KB3: an agent that breaks the rules of its answer is counted", async () => {
  handlers.onViolation?.(7n, new Fault("answer_broken", "too long"));
  expect(await metrics.registry.metrics()).toContain('kas_frame_violations_total{side="agent"} 1');
});

test("KS7: each kind of silence has its counter", async () => {
  for (const reason of ["agent_silent", "reader_stalled", "upload_stalled", "reader_stalled"] as const) handlers.onSilence?.(reason);
  const text = await metrics.registry.metrics();
  expect(text).toContain('kas_silent_requests_total{reason="reader_stalled"} 2');
  expect(text).toContain('kas_silent_requests_total{reason="agent_silent"} 1');
});

test.each([
  ["agent", "7"],
  ["user", "user:1"],
] as const)("KS7, T14: an %s whose bytes are short ends its stalled readers sooner, and no others", (kind, id) => {
  expect(handlers.isShort?.(7n, ANN)).toBe(false);
  ledger.open({ kind, id }, () => undefined).charge(90);
  expect(handlers.isShort?.(7n, ANN)).toBe(true);
  expect(handlers.isShort?.(8n, { kind: "user", id: "2" })).toBe(false);
});

test("KS7: an agent whose tunnels are short makes its readers go sooner", () => {
  expect(handlers.isShort?.(9n, ANN)).toBe(true);
});
