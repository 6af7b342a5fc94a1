import { ManualClock, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { startMainApplication, type FakeMainApplication } from "../main-application/testing/fake-main-application.ts";
import { UsageCounts } from "./usage-counts.ts";
import { usageReporter } from "./usage-reporter.ts";

const PERIOD_MS = 60_000;

let main: FakeMainApplication;
let clock: ManualClock;
let counts: UsageCounts;
let stop: AbortController;
let status: number;

beforeEach(async () => {
  main = await startMainApplication();
  [clock, counts, stop, status] = [new ManualClock(), new UsageCounts(), new AbortController(), 204];
  main.answer = () => ({ status });
});
afterEach(async () => {
  stop.abort();
  await main.close();
});

const USAGE = { name: "usage reporter", path: "usage_metrics" };
const reporter = () => usageReporter({ ...USAGE, reported: counts, mainApplication: main.client({ clock }), clock, periodMs: PERIOD_MS });
const told = (): readonly unknown[] => main.seen.map(({ body }) => JSON.parse(body));
/** A report of so many batches and requests. */
const said = (gitops_sync: number, k8s_api_proxy_request: number): object => {
  const all = { gitops_sync, k8s_api_proxy_request };
  const counters = Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
  return { ...Object.fromEntries(Object.entries(counters).map(([name, count]) => [`${name}_count`, count])), counters };
};

/** A period later, when the main application was asked so many times in all and the next wait has begun. */
async function period(asked: number): Promise<void> {
  await clock.elapse(PERIOD_MS);
  await until(() => main.seen.length === asked && clock.pending > 0);
}

test("what was counted is told once a period, and nothing when nothing was", async () => {
  const running = reporter().run?.(stop.signal);
  await period(0);
  counts.add("gitops_sync_count");
  counts.add("k8s_api_proxy_request_count");
  counts.add("k8s_api_proxy_request_count");
  await period(1);
  await period(1);
  counts.add("gitops_sync_count");
  await period(2);
  expect(told()).toEqual([said(1, 2), said(1, 0)]);
  expect(main.seen[0]).toMatchObject({ method: "POST", url: "/api/v4/internal/kubernetes/usage_metrics" });
  stop.abort();
  await running;
});

test("what could not be told is told with the next report, and what comes while one is under way is not lost", async () => {
  const running = reporter().run?.(stop.signal);
  counts.add("gitops_sync_count");
  status = 503;
  await period(1);
  main.answer = () => {
    counts.add("gitops_sync_count");
    return { status: 204 };
  };
  counts.add("gitops_sync_count");
  await period(2);
  main.answer = () => ({ status: 204 });
  await period(3);
  expect(told()).toEqual([said(1, 0), said(2, 0), said(1, 0)]);
  stop.abort();
  await running;
});

test("a main application that does not know such reports is not told the same again", async () => {
  const running = reporter().run?.(stop.signal);
  counts.add("gitops_sync_count");
  status = 404;
  await period(1);
  await period(1);
  stop.abort();
  await running;
  expect(told()).toEqual([said(1, 0)]);
});

test("who leaves tells what is left, and waits no longer than he may", async () => {
  const module = reporter();
  counts.add("k8s_api_proxy_request_count");
  await module.drain?.(new AbortController().signal);
  expect(told()).toEqual([said(0, 1)]);
  await module.drain?.(new AbortController().signal);
  expect(told()).toHaveLength(1);

  counts.add("k8s_api_proxy_request_count");
  const silent = usageReporter({
    ...USAGE,
    reported: counts,
    mainApplication: { call: () => new Promise(() => undefined) },
    clock,
    periodMs: PERIOD_MS,
  });
  const deadline = new AbortController();
  const hurried = silent.drain?.(deadline.signal);
  deadline.abort();
  await hurried;
  const leaving = silent.drain?.(new AbortController().signal);
  await until(() => clock.pending > 0);
  await clock.elapse(1_000);
  await leaving;
});
