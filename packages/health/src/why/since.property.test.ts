import fc from "fast-check";
import { expect, test } from "vitest";

import type { KubeObject } from "@binnacle/kube";

import { health } from "../health.ts";
import { CLOCK_SLACK_MS } from "./first-bad-at.ts";
import { whyOf } from "./why-of.ts";

const NOW = "2026-01-01T12:00:00Z";
const CREATED = "2026-01-01T09:00:00Z";
const nowMs = Date.parse(NOW);

/** From its creation until some minutes after now, for clocks run ahead. */
const time = fc
  .integer({ min: -3 * 3_600, max: 300 })
  .map((seconds) => new Date(nowMs + seconds * 1_000).toISOString().replace(".000Z", "Z"));

const metadata = { name: "p", namespace: "env", uid: "p", creationTimestamp: CREATED };

const state = fc.constantFrom(
  { waiting: { reason: "CrashLoopBackOff" } },
  { waiting: { reason: "ImagePullBackOff" } },
  { waiting: { reason: "ContainerCreating" } },
  { running: {} },
);

const container = fc.record({
  name: fc.constant("app"),
  ready: fc.constant(false),
  state,
  lastState: fc.oneof(
    fc.constant({}),
    fc.record({ startedAt: time, finishedAt: time, exitCode: fc.constant(1) }).map((terminated) => ({ terminated })),
  ),
});

const pod = fc.record({
  scheduled: fc.boolean(),
  changedAt: time,
  container,
  deletionTimestamp: fc.option(time, { nil: undefined, freq: 5 }),
  deletionGracePeriodSeconds: fc.constantFrom(0, 30, 3_600),
});

const event = fc.record({
  reason: fc.constantFrom("FailedScheduling", "BackOff", "Failed", "Unhealthy", "FailedMount"),
  firstTimestamp: time,
  lastTimestamp: time,
  uid: fc.constantFrom("p", "other"),
});

function podOf({
  scheduled,
  changedAt,
  container: status,
  deletionTimestamp,
  deletionGracePeriodSeconds,
}: typeof pod extends fc.Arbitrary<infer T> ? T : never): KubeObject {
  const condition = scheduled
    ? { type: "Ready", status: "False", reason: "ContainersNotReady", lastTransitionTime: changedAt }
    : { type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/1 nodes are available", lastTransitionTime: changedAt };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...metadata, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp, deletionGracePeriodSeconds }) },
    spec: { containers: [{ name: "app" }], ...(scheduled ? { nodeName: "n" } : {}) },
    status: scheduled
      ? { phase: "Running", conditions: [condition], containerStatuses: [status] }
      : { phase: "Pending", conditions: [condition] },
  };
}

function eventOf({ uid, ...rest }: typeof event extends fc.Arbitrary<infer T> ? T : never, index: number): KubeObject {
  const involvedObject = { apiVersion: "v1", kind: "Pod", name: "p", namespace: "env", uid, fieldPath: "spec.containers{app}" };
  const message = rest.reason === "Unhealthy" ? "Readiness probe failed: timeout" : "text";
  return { apiVersion: "v1", kind: "Event", metadata: { name: `e${index}` }, type: "Warning", message, involvedObject, ...rest };
}

test("US2: nothing began after now, and first bad is the earliest of what the chain tells", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(pod, fc.array(event, { maxLength: 4 }), (givenPod, givenEvents) => {
      const resource = podOf(givenPod);
      const since = health(resource, { now: NOW })?.since;
      const why = whyOf(resource, { now: NOW, related: [], events: givenEvents.map(eventOf), missing: [] });
      const times = (why?.chain ?? []).flatMap((link) => (link.since === undefined ? [] : [link.since]));
      for (const each of [since, why?.firstBadAt, ...times]) expect(each === undefined || Date.parse(each) <= nowMs).toBe(true);
      if (why?.firstBadAt === undefined) return;
      const firstBad = Date.parse(why.firstBadAt);
      // Rules say the time of the creation when they do not know.
      for (const each of [...times, ...(since === undefined ? [] : [since])]) {
        expect(each === CREATED || Date.parse(each) < Date.parse(CREATED) || firstBad <= Date.parse(each)).toBe(true);
      }
    }),
    { numRuns: 1_000 },
  );
});

test("US2: events of another pod of the same name, or of long before, move nothing", () => {
  fc.assert(
    fc.property(time, time, (changedAt, firstTimestamp) => {
      const scheduled = false;
      const resource = podOf({
        scheduled,
        changedAt,
        container: { name: "app", ready: false, state: { running: {} }, lastState: {} },
        deletionTimestamp: undefined,
        deletionGracePeriodSeconds: 0,
      });
      const event = (uid: "p" | "other") => eventOf({ reason: "FailedScheduling", uid, firstTimestamp, lastTimestamp: NOW }, 0);
      const firstBadAtWith = (events: KubeObject[]) => whyOf(resource, { now: NOW, related: [], events, missing: [] })?.firstBadAt;
      expect(firstBadAtWith([event("other")])).toBe(firstBadAtWith([]));
      const aheadMs = Date.parse(changedAt) - Date.parse(firstTimestamp);
      expect((aheadMs > 0 && aheadMs <= CLOCK_SLACK_MS) || firstBadAtWith([event("p")]) === firstBadAtWith([])).toBe(true);
    }),
    { numRuns: 300 },
  );
});
