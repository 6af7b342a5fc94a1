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
const reports = (): readonly unknown[] => main.seen.map(({ body }) => JSON.parse(body));
/** A report of so many batches and requests. */
const report = (gitops_sync: number, k8s_api_proxy_request: number): object => {
  const all = { gitops_sync, k8s_api_proxy_request };
  const counters = Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
  return { ...Object.fromEntries(Object.entries(counters).map(([name, count]) => [`${name}_count`, count])), counters };
};

/** Elapses a period. @param requests number that the main application has got by then, since the start */
async function period(requests: number): Promise<void> {
  await clock.elapse(PERIOD_MS);
  await until(() => main.seen.length === requests && clock.pending > 0);
}

test("counts are reported once a period, and nothing is sent without counts", async () => {
  const running = reporter().run?.(stop.signal);
  await period(0);
  counts.add("gitops_sync_count");
  counts.add("k8s_api_proxy_request_count");
  counts.add("k8s_api_proxy_request_count");
  await period(1);
  await period(1);
  counts.add("gitops_sync_count");
  await period(2);
  expect(reports()).toEqual([report(1, 2), report(1, 0)]);
  expect(main.seen[0]).toMatchObject({ method: "POST", url: "/api/v4/internal/kubernetes/usage_metrics" });
  stop.abort();
  await running;
});

test("a failed report is repeated with the next one, and counts added during a report are not lost", async () => {
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
  expect(reports()).toEqual([report(1, 0), report(2, 0), report(1, 0)]);
  stop.abort();
  await running;
});

test("a report that the main application does not support is not repeated", async () => {
  const running = reporter().run?.(stop.signal);
  counts.add("gitops_sync_count");
  status = 404;
  await period(1);
  await period(1);
  stop.abort();
  await running;
  expect(reports()).toEqual([report(1, 0)]);
});

test("shutdown sends the remaining counts, and waits no longer than its deadline", async () => {
  const module = reporter();
  counts.add("k8s_api_proxy_request_count");
  await module.drain?.(new AbortController().signal);
  expect(reports()).toEqual([report(0, 1)]);
  await module.drain?.(new AbortController().signal);
  expect(reports()).toHaveLength(1);

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
