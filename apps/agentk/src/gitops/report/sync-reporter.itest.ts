import { connect, type ClientHttp2Session } from "node:http2";

import { GRPC_CODE } from "@binnacle/grpc-wire";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { FakeKas } from "../../testing/fake-kas.ts";
import { SyncReporter } from "./sync-reporter.ts";

const MINUTE_MS = 60_000;
const OK = { code: 0, message: "" };

let kas: FakeKas;
let session: ClientHttp2Session;
let clock: ManualClock;
let reporter: SyncReporter;
/** Called with a session when there is a new one. */
let opened: (session: ClientHttp2Session) => void;
let refusedTokens: number;
let leave: AbortController;
let running: Promise<void>;

beforeEach(async () => {
  kas = await FakeKas.listen();
  kas.takesReports = OK;
  session = connect(`http://127.0.0.1:${kas.port}`);
  clock = new ManualClock();
  refusedTokens = 0;
  leave = new AbortController();
  reporter = new SyncReporter({
    link: { waitForSession: async () => session, onSession: (listener) => ((opened = listener), () => {}) },
    metadata: { get: () => new Map(), refused: () => void (refusedTokens += 1) },
    clock,
    log: createLogger("test", "silent"),
    project: { id: "group/app", globs: [], drift: "correct", defaultNamespace: "web" },
  });
  running = reporter.run(leave.signal);
});

afterEach(async () => {
  leave.abort();
  await running;
  session.destroy();
  await kas.close();
  clock.assertIdle();
});

/** Settles when kas has received that many reports, and the reporter waits for the clock. */
async function reported(times: number): Promise<void> {
  await until(() => kas.reports.length === times && clock.pending > 0);
}

const commits = (): string[] => kas.reports.map(({ sync }) => sync.commitId);

test("an unchanged status is reported again every five minutes, so that kas does not forget it", async () => {
  reporter.status.begun("c1");
  await reported(1);
  await clock.elapse(5 * MINUTE_MS);
  expect(kas.reports.length).toBe(1);
  await clock.elapse(1_000);
  await reported(2);
  expect(commits()).toEqual(["c1", "c1"]);
});

test("B2: a new session gets a report at once, without a sync, also after kas has rejected one", async () => {
  reporter.status.begun("c1");
  await reported(1);
  await clock.elapse(1_000);
  opened(session);
  await reported(2);
  expect(commits()).toEqual(["c1", "c1"]);
  kas.takesReports = { code: GRPC_CODE.unimplemented, message: "unknown service" };
  reporter.status.begun("c2");
  await clock.elapse(1_000);
  await reported(3);
  kas.takesReports = OK;
  opened(session);
  await reported(4);
  expect(commits()).toEqual(["c1", "c1", "c2", "c2"]);
});

test("what changes within a second is one report, of the newest", async () => {
  reporter.status.begun("c1");
  await reported(1);
  reporter.status.begun("c2");
  reporter.status.begun("c3");
  await clock.elapse(999);
  expect(commits()).toEqual(["c1"]);
  await clock.elapse(1);
  await reported(2);
  expect(commits()).toEqual(["c1", "c3"]);
});

test("a kas without reports gets one every five minutes, whatever happens meanwhile", async () => {
  kas.takesReports = { code: GRPC_CODE.unimplemented, message: "unknown service" };
  reporter.status.begun("c1");
  await reported(1);
  reporter.status.begun("c2");
  await clock.elapse(5 * MINUTE_MS - 1);
  expect(commits()).toEqual(["c1"]);
  kas.takesReports = OK;
  await clock.elapse(1);
  await reported(2);
  expect(commits()).toEqual(["c1", "c2"]);
});

test("a token that kas refuses is read again, and the report made again soon", async () => {
  kas.takesReports = { code: GRPC_CODE.unauthenticated, message: "who are you" };
  reporter.status.begun("c1");
  await reported(1);
  expect(refusedTokens).toBe(1);
  kas.takesReports = OK;
  await clock.elapse(20_000);
  await reported(2);
});
