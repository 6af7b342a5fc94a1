import { ManualClock, settle } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { createLogger, type Logger } from "../logger.ts";
import { AuditLog, MAX_WAITING_RECORDS } from "./audit-log.ts";
import type { AuditOutput } from "./audit-output.ts";
import type { AuditRecord } from "./audit-record.ts";

/** A logger that keeps what is logged. */
class LogLines {
  readonly #lines: { readonly fields: unknown; readonly message: string }[] = [];
  readonly log: Logger;

  constructor() {
    const keep = (fields: unknown, message: string): void => void this.#lines.push({ fields, message });
    // No other form of pino is used by the audit log.
    this.log = Object.assign(Object.create(createLogger("test", "silent")), { info: keep, error: keep }) as Logger;
  }

  of(message: string): unknown[] {
    return this.#lines.filter((line) => line.message === message).map((line) => line.fields);
  }
}

/** An output that does what the test says. */
class ScriptedOutput implements AuditOutput {
  readonly isShared = false;
  readonly batches: { readonly request_id: string; readonly dropped?: number }[][] = [];
  /** Settles the next write. */
  answer: () => Promise<void> = () => Promise.resolve();
  closed = false;

  async write(lines: Buffer): Promise<void> {
    await this.answer();
    this.batches.push(
      lines
        .toString()
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    );
  }

  close(): void {
    this.closed = true;
  }
}

let clock: ManualClock;
let output: ScriptedOutput;
let lines: LogLines;
let counted: Record<string, number>;
let audit: AuditLog;

beforeEach(() => {
  clock = new ManualClock();
  output = new ScriptedOutput();
  lines = new LogLines();
  counted = { written: 0, dropped: 0 };
  const count = (outcome: string, records: number): void => void (counted[outcome] = (counted[outcome] ?? 0) + records);
  audit = new AuditLog({ output, clock, log: lines.log, count });
});

const record = (requestId: string): AuditRecord => ({
  atMs: clock.now(),
  requestId,
  event: "complete",
  principal: { kind: "user", username: "ann", id: 1 },
  as: "agent",
  agentId: 7n,
  action: { verb: "get" },
  code: 200,
});
const ids = () => output.batches.map((batch) => batch.map(({ request_id: id }) => id));

test("records that come together are written together, at most 500 at once", async () => {
  for (let index = 0; index < 1_001; index += 1) audit.add(record(String(index)));
  expect(output.batches).toEqual([]);
  await clock.elapse(100);
  expect(output.batches.map(({ length }) => length)).toEqual([500, 500, 1]);
  expect(ids().flat()).toEqual(Array.from({ length: 1_001 }, (_, index) => String(index)));
  expect(counted).toEqual({ written: 1_001, dropped: 0 });
});

test("T42: an output that stalls delays no caller: records beyond the limit are dropped and counted in the next line", async () => {
  let resume = (): void => undefined;
  output.answer = () => new Promise((resolve) => (resume = resolve));
  audit.add(record("stalled"));
  await clock.elapse(100);
  for (let index = 0; index < MAX_WAITING_RECORDS + 7; index += 1) audit.add(record("waits"));
  expect(counted).toEqual({ written: 0, dropped: 7 });
  output.answer = () => Promise.resolve();
  resume();
  await settle();
  expect(counted).toEqual({ written: MAX_WAITING_RECORDS + 1, dropped: 7 });
  const reported = output.batches.flat().flatMap(({ dropped }, index) => (dropped === undefined ? [] : [[index, dropped]]));
  expect(reported).toEqual([[1, 7]]);
});

test("T42: a full disk is reported once, records wait, and are written when there is room", async () => {
  output.answer = () => Promise.reject(new Error("ENOSPC"));
  audit.add(record("one"));
  await clock.elapse(5_000);
  audit.add(record("two"));
  expect(lines.of("audit records cannot be written; they wait, and are dropped when too many do")).toHaveLength(1);
  output.answer = () => Promise.resolve();
  await clock.elapse(1_000);
  expect(ids()).toEqual([["one"], ["two"]]);
  expect(lines.of("audit records are written again")).toHaveLength(1);
});

test("what waits is written before the end, and an output that stalls cannot hold the end up", async () => {
  audit.add(record("one"));
  await audit.drain(new AbortController().signal);
  expect(ids()).toEqual([["one"]]);
  output.answer = () => new Promise(() => undefined);
  audit.add(record("two"));
  audit.add(record("three"));
  const deadline = new AbortController();
  const drained = audit.drain(deadline.signal);
  audit.add(record("four"));
  deadline.abort();
  await drained;
  await audit.close();
  expect(lines.of("audit records could not be written before the end")).toEqual([{ count: 3 }]);
  clock.assertIdle();
});
