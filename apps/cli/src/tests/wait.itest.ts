import { Code, ConnectError } from "@connectrpc/connect";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { CliProcess, temporaryHome } from "../testing/cli-process.ts";
import { DEGRADED, deliveredOf, deltaOf, headerOf, HEALTHY, HEARTBEAT, PROGRESSING, snapshotOf } from "../testing/made-environment.ts";
import { StandInDashboard } from "../testing/stand-in-dashboard.ts";

const OLD = "a".padEnd(40, "1");
const NEW = "beef".padEnd(40, "2");

let dashboard: StandInDashboard;
let home: ReturnType<typeof temporaryHome>;
let running: CliProcess[] = [];
beforeEach(async () => {
  dashboard = await StandInDashboard.start();
  home = temporaryHome();
});
afterEach(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  running = [];
  await dashboard.close();
  home.remove();
});

function start(...args: string[]): CliProcess {
  const started = new CliProcess(["status", "production", "--wait", "healthy", ...args], { url: dashboard.url, home: home.path });
  running.push(started);
  return started;
}

test("a gate with a revision is not green on the state before the deployment, however often that is confirmed", async () => {
  dashboard.opening = [headerOf(OLD), snapshotOf(HEALTHY)];
  const gate = start("--revision", NEW);
  await gate.noted("Healthy, waiting for the revision");
  for (const aheadMs of [10_000, 20_000, 30_000]) dashboard.send(HEARTBEAT, aheadMs);
  dashboard.send(deliveredOf(NEW));
  dashboard.send(deltaOf(PROGRESSING));
  await gate.noted("Progressing, waiting for healthy");
  dashboard.send(deltaOf(HEALTHY));
  await until(
    () => gate.notes.endsWith("Healthy, waiting for a confirmation\n"),
    () => gate.notes,
  );
  dashboard.send(HEARTBEAT, 60_000);
  expect(await gate.exited).toBe(0);
  expect(gate.output).toContain("resource is healthy");
});

test("without a revision the first healthy picture is no verdict: it must be confirmed after the start", async () => {
  dashboard.opening = [headerOf(), snapshotOf(HEALTHY)];
  const gate = start();
  await gate.noted("Healthy, waiting for a confirmation");
  dashboard.send(deltaOf(PROGRESSING), 1_000);
  await gate.noted("Progressing, waiting for healthy");
  dashboard.send(deltaOf(HEALTHY), 2_000);
  await until(
    () => gate.notes.endsWith("Healthy, waiting for a confirmation\n"),
    () => gate.notes,
  );
  dashboard.send(HEARTBEAT, 9_000);
  expect(await gate.exited).toBe(0);
});

test("degraded ends the wait only after it has lasted, and a recovery begins the time anew", async () => {
  dashboard.opening = [headerOf(), snapshotOf(DEGRADED)];
  const gate = start("--settle", "30s");
  await gate.noted("Degraded, waiting for it to settle");
  dashboard.send(HEARTBEAT, 20_000);
  dashboard.send(deltaOf(PROGRESSING), 25_000);
  await gate.noted("Progressing, waiting for healthy");
  dashboard.send(deltaOf(DEGRADED), 26_000);
  await until(
    () => gate.notes.endsWith("Degraded, waiting for it to settle\n"),
    () => gate.notes,
  );
  dashboard.send(HEARTBEAT, 41_000);
  // Fifteen seconds: less than --settle.
  dashboard.send(HEARTBEAT, 50_000);
  dashboard.send(HEARTBEAT, 57_000);
  expect(await gate.exited).toBe(1);
  expect(gate.output).toContain("Deployment web: image cannot be pulled");
});

test("a stream that breaks in the middle is opened again, and what was shown before ends nothing", async () => {
  dashboard.opening = [headerOf(), snapshotOf(PROGRESSING)];
  const gate = start();
  await gate.noted("Progressing, waiting for healthy");
  dashboard.opening = [headerOf(), snapshotOf(HEALTHY)];
  dashboard.cut();
  await until(() => dashboard.opened === 2);
  await gate.noted("Healthy, waiting for a confirmation");
  dashboard.send(HEARTBEAT, 16_000);
  expect(await gate.exited).toBe(0);
});

test("a token that expires in the middle ends the wait with 3 and says so", async () => {
  dashboard.opening = [headerOf(), snapshotOf(PROGRESSING)];
  const gate = start();
  await gate.noted("Progressing, waiting for healthy");
  dashboard.tokens.clear();
  dashboard.fail(new ConnectError("Your session has ended. Sign in again.", Code.Unauthenticated));
  expect(await gate.exited).toBe(3);
  expect(gate.notes).toContain("does not accept the token: it is wrong, expired or revoked.\nbinnacle login");
});

test("a time-out before the revision was seen ends with 3, whatever is shown", async () => {
  dashboard.opening = [headerOf(OLD), snapshotOf(HEALTHY)];
  const gate = start("--timeout", "1s", "--revision", NEW.slice(0, 8));
  expect(await gate.exited).toBe(3);
  expect(gate.notes).toContain(`Commit ${NEW.slice(0, 8)} was not what runs within 1s.`);
});

test("an environment of which the token may not read everything is not taken for healthy", async () => {
  dashboard.opening = [headerOf(), snapshotOf({ ...HEALTHY, partial: true, hidden: ["secrets"] }, { forbidden: "secrets" })];
  const gate = start();
  await gate.noted("waiting for a confirmation");
  dashboard.send(HEARTBEAT, 9_000);
  expect(await gate.exited).toBe(3);
});

test("Ctrl-C ends the wait with 130 and writes no verdict", async () => {
  dashboard.opening = [headerOf(), snapshotOf(PROGRESSING)];
  const gate = start();
  await gate.noted("Progressing, waiting for healthy");
  gate.child.kill("SIGINT");
  expect(await gate.exited).toBe(130);
  expect(gate.output).toBe("");
});
