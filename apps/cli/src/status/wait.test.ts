import { EnvironmentHealthSchema, SourceSchema } from "@binnacle/proto/dashboard";
import { ConnectionState, HealthStatus, SettledState, StaleCause } from "@binnacle/proto/dashboard-enums";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { START, type ViewState } from "@binnacle/presentation/view/view-state";
import { ConnectionSchema } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";

import { EXIT } from "../program/exit-codes.ts";
import { verdictOf } from "./verdict.ts";
import { Wait } from "./wait.ts";

const T = 1_800_000_000_000;
const AGENT_AWAY = { connection: create(ConnectionSchema, { state: ConnectionState.AGENT_OFFLINE }) };
const OPTIONS = { timeoutMs: 600_000, settleMs: 30_000 };

interface ViewChanges extends Partial<ViewState> {
  /** Of its only source, which is of pods. */
  readonly source?: MessageInitShape<typeof SourceSchema>;
}

function viewAt(ms: number, status: HealthStatus, { source = {}, ...changes }: ViewChanges = {}): ViewState {
  const atMs = T + ms;
  return {
    ...START,
    health: create(EnvironmentHealthSchema, { status, counts: [{ status, count: 2 }] }),
    connection: create(ConnectionSchema, { state: ConnectionState.CONNECTED }),
    sources: [create(SourceSchema, { resource: "pods", settled: SettledState.LIVE, countsForHealth: true, ...source })],
    complete: true,
    stream: { kind: "open" },
    lastMessageMs: atMs,
    sentAtMs: atMs,
    contentAsOfMs: atMs,
    version: 1,
    blank: false,
    ...changes,
  };
}

function waited(options = OPTIONS) {
  const wait = new Wait(options, T);
  return (ms: number, view: ViewState) => wait.look(view, { serverMs: T + ms, ownMs: T + ms });
}

test.each([
  [HealthStatus.HEALTHY, EXIT.ok],
  [HealthStatus.SUSPENDED, EXIT.ok],
  [HealthStatus.DEGRADED, EXIT.bad],
  [HealthStatus.MISSING, EXIT.bad],
  [HealthStatus.PROGRESSING, EXIT.progressing],
  [HealthStatus.UNKNOWN, EXIT.unknown],
  [HealthStatus.UNSPECIFIED, EXIT.unknown],
])("status %i has exit code %i", (status, code) => {
  expect(verdictOf(viewAt(0, status), T).exitCode).toBe(code);
});

test.each([
  ["of a stream that broke", { stream: { kind: "lost", reason: "", sinceMs: T } }],
  ["from before the stream broke", { stale: true }],
  ["that the server has kept", { kept: true }],
  ["that is not complete", { complete: false }],
  ["of an agent that is away", AGENT_AWAY],
] satisfies [string, Partial<ViewState>][])("a healthy picture %s is 3, and ends no wait", (_, changes) => {
  const view = viewAt(20_000, HealthStatus.HEALTHY, changes);
  expect(verdictOf(view, T + 20_000).exitCode).toBe(EXIT.unknown);
  const look = waited();
  look(0, viewAt(0, HealthStatus.HEALTHY, changes));
  expect(look(20_000, view)).toMatchObject({ done: false, waitsFor: "live" });
});

test("a source of health that nothing vouches for ends no wait, and one that does not count is of no concern", () => {
  const stale = { staleSince: timestampFromMs(T), staleCause: StaleCause.WAY };
  const look = waited();
  look(0, viewAt(0, HealthStatus.HEALTHY));
  expect(look(20_000, viewAt(20_000, HealthStatus.HEALTHY, { source: stale }))).toMatchObject({ done: false, waitsFor: "live" });
  expect(look(21_000, viewAt(21_000, HealthStatus.HEALTHY, { source: { ...stale, countsForHealth: false } }))).toMatchObject({
    done: true,
    exitCode: 0,
  });
});

test("a kind without a watch must have been read after the start", () => {
  const sampled = (asOfMs: number) => ({
    staleSince: timestampFromMs(T),
    staleCause: StaleCause.SAMPLED,
    asOf: timestampFromMs(T + asOfMs),
  });
  const look = waited();
  look(0, viewAt(0, HealthStatus.HEALTHY, { source: sampled(-20_000) }));
  expect(look(20_000, viewAt(20_000, HealthStatus.HEALTHY, { source: sampled(-20_000) }))).toMatchObject({
    done: false,
    waitsFor: "confirmation",
  });
  expect(look(31_000, viewAt(31_000, HealthStatus.HEALTHY, { source: sampled(30_000) }))).toMatchObject({ done: true, exitCode: 0 });
});

test("time alone confirms nothing: the server must confirm it", () => {
  const look = waited();
  const first = viewAt(0, HealthStatus.HEALTHY);
  expect(look(0, first)).toMatchObject({ done: false, waitsFor: "confirmation" });
  expect(look(14_000, first)).toMatchObject({ done: false, waitsFor: "confirmation" });
  expect(look(15_000, viewAt(15_000, HealthStatus.HEALTHY))).toMatchObject({ done: true, exitCode: 0 });
});

test("degraded must last without a break, and a break of the stream is one", () => {
  const look = waited();
  look(0, viewAt(0, HealthStatus.DEGRADED));
  expect(look(29_000, viewAt(29_000, HealthStatus.DEGRADED))).toMatchObject({ done: false, waitsFor: "settling" });
  look(29_500, viewAt(29_500, HealthStatus.DEGRADED, { stale: true }));
  expect(look(31_000, viewAt(31_000, HealthStatus.DEGRADED))).toMatchObject({ done: false, waitsFor: "settling" });
  expect(look(61_000, viewAt(61_000, HealthStatus.DEGRADED))).toMatchObject({ done: true, exitCode: EXIT.bad });
});

test("degraded of which a part is hidden is degraded; healthy of which a part is hidden is not known", () => {
  const partial = (status: HealthStatus) =>
    create(EnvironmentHealthSchema, { status, partial: true, hidden: ["secrets"], counts: [{ status, count: 1 }] });
  const codeOf = (status: HealthStatus): number => verdictOf(viewAt(0, status, { health: partial(status) }), T).exitCode;
  expect([codeOf(HealthStatus.DEGRADED), codeOf(HealthStatus.PROGRESSING), codeOf(HealthStatus.HEALTHY)]).toEqual([1, 3, 3]);
});

test.each([
  ["healthy, which nothing confirmed", viewAt(3_000, HealthStatus.HEALTHY), EXIT.unknown],
  ["progressing", viewAt(3_000, HealthStatus.PROGRESSING), EXIT.progressing],
  ["degraded, which had no time to settle", viewAt(3_000, HealthStatus.DEGRADED), EXIT.bad],
  ["not known, because the agent is away", viewAt(3_000, HealthStatus.HEALTHY, AGENT_AWAY), EXIT.unknown],
])("the time-out ends every wait: %s", (_, view, exitCode) => {
  const look = waited({ ...OPTIONS, timeoutMs: 3_000 });
  expect(look(0, viewAt(0, HealthStatus.PROGRESSING))).toMatchObject({ done: false });
  expect(look(3_000, view)).toMatchObject({ done: true, isTimeout: true, isDeployed: true, exitCode });
});

test("a time-out before the revision was seen says nothing of the environment", () => {
  const wait = new Wait({ ...OPTIONS, timeoutMs: 3_000, revision: "beef222" }, T);
  const times = { serverMs: T + 3_000, ownMs: T + 3_000 };
  expect(wait.look(viewAt(3_000, HealthStatus.DEGRADED), times)).toMatchObject({
    done: true,
    isTimeout: true,
    isDeployed: false,
    exitCode: 3,
  });
});
