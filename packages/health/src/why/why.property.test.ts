import fc from "fast-check";
import { expect, test } from "vitest";

import { inEnglish, renderEnglish } from "@binnacle/words/render-english";

import type { KubeObject } from "@binnacle/kube";

import { HEALTH_ORDER } from "../health-status.ts";
import { frozen, ODD_KINDS, oddJson } from "../odd-objects.ts";
import { CLOCK_SLACK_MS } from "./first-bad-at.ts";
import { explain, noticed } from "./explain.ts";
import type { HealthNotice, Why, WhyContext } from "./why.ts";
import { whyOf, noticesOf, whyMissing } from "./why-of.ts";

/** Field names that explainers read, so that random objects get deep into them. */
const NAMES =
  "name namespace uid kind apiVersion labels toString annotations ownerReferences finalizers deletionTimestamp creationTimestamp managedFields time manager subresource type status reason message lastTransitionTime conditions phase replicas readyReplicas updatedReplicas currentRevision updateRevision containerStatuses initContainerStatuses state waiting terminated lastState restartCount ready exitCode startedAt finishedAt spec template containers image resources requests limits readinessProbe httpGet port exec command volumes configMap secret secretName persistentVolumeClaim claimName env valueFrom nodeName rules http paths backend service backendRefs defaultBackend selector endpoints targetRef involvedObject regarding fieldPath firstTimestamp lastTimestamp eventTime series count note scaleTargetRef group".split(
    " ",
  );

const TEXTS = [
  "True",
  "False",
  "Ready",
  "CrashLoopBackOff",
  "ImagePullBackOff",
  "CreateContainerConfigError",
  "Unschedulable",
  "PodScheduled",
  "Pending",
  "Running",
  "Failed",
  "FailedCreate",
  "FailedMount",
  "FailedScheduling",
  "Unhealthy",
  'configmap "c" not found',
  "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint {a: b}.",
  "Readiness probe failed: timeout",
  "2026-01-01T00:00:00Z",
  "2026-01-01T11:30:00Z",
  "n0",
  "n1",
  "u0",
  "u1",
  "Pod",
  "constructor",
  "__proto__",
  "",
];

const json = oddJson(NAMES, TEXTS);

const metadata = fc.oneof(
  json,
  fc.record({
    name: fc.constantFrom("n0", "n1"),
    uid: fc.constantFrom("u0", "u1", "u2"),
    ownerReferences: fc.array(fc.record({ uid: fc.constantFrom("u0", "u1", "u2"), kind: fc.constantFrom("Deployment", "Widget") }), {
      maxLength: 2,
    }),
    labels: json,
    deletionTimestamp: fc.constantFrom(undefined, undefined, "2026-01-01T00:00:00Z"),
  }),
);

const odd = fc
  .record({
    kind: fc.constantFrom(...ODD_KINDS),
    metadata,
    spec: json,
    status: json,
    endpoints: json,
    involvedObject: json,
    reason: json,
    message: json,
  })
  .map(({ kind: [apiVersion, kind], ...rest }) => ({ apiVersion, kind, ...rest }));

/** What `whyOf` catches would be a defect, so that these two ask below it, and then compare. */
function untypedWhy(resource: unknown, context?: unknown): Why | null {
  const why = explain(resource, context)?.why ?? null;
  // Odd on purpose: it takes unknown input.
  expect(whyOf(resource as KubeObject, context as WhyContext)).toEqual(why);
  return why;
}

function untypedNotices(resource: unknown, context?: unknown): readonly HealthNotice[] {
  expect(() => noticed(resource, context)).not.toThrow();
  // Odd on purpose: it takes unknown input.
  return noticesOf(resource as KubeObject, context as WhyContext);
}

/** Thousands of runs take their time on a machine that does other things, too. */
const SLOW = { timeout: 60_000 };

const NOW = "2026-01-01T12:00:00Z";

test("never throws, never mutates, and answers in whole words, whatever the shapes", SLOW, () => {
  const many = fc.oneof(fc.array(odd, { maxLength: 5 }), json);
  const context = fc.oneof(
    json,
    fc.record({ now: fc.oneof(fc.constant(NOW), json), related: many, events: many, missing: many, health: json }),
  );
  fc.assert(
    fc.property(fc.oneof(odd, json), context, (resource, given) => {
      frozen([resource, given]);
      const why = untypedWhy(resource, given);
      for (const notice of untypedNotices(resource, given)) expect(Object.values(inEnglish(notice) as object)).not.toContain("");
      if (why === null) return;
      expect(why.chain.length).toBeGreaterThan(0);
      expect(why.chain[0]?.level).toBe("resource");
      const [message, nextStep] = [renderEnglish(why.message), renderEnglish(why.nextStep)];
      expect([why.reason, message, nextStep]).not.toContain("");
      expect(nextStep.endsWith(".")).toBe(true);
      expect(message + nextStep).not.toMatch(/[{}]\w*[{}]|undefined|NaN/);
      for (const link of why.chain) {
        expect(HEALTH_ORDER).toContain(link.status);
        expect(link.since === undefined || !Number.isNaN(Date.parse(link.since))).toBe(true);
      }
      const { precededBy, firstBadAt } = why;
      expect(precededBy === undefined || Date.parse(precededBy.at) <= Date.parse(firstBadAt ?? "") + CLOCK_SLACK_MS).toBe(true);
    }),
    { numRuns: 1_500 },
  );
});

test("the order of related objects, events and missing references does not matter", SLOW, () => {
  fc.assert(
    fc.property(odd, fc.array(odd, { maxLength: 5 }), fc.array(odd, { maxLength: 4 }), (resource, objects, events) => {
      const related = objects.map((object, index) => ({ ...object, metadata: { ...Object(object.metadata), name: `n${index}` } }));
      const missing = ["a", "b"].map((name) => ({ group: "", version: "v1", kind: "ConfigMap", namespace: "", name }));
      const forward = { now: NOW, related, events, missing };
      const backward = { now: NOW, related: related.toReversed(), events: events.toReversed(), missing: missing.toReversed() };
      expect(untypedWhy(resource, backward)).toEqual(untypedWhy(resource, forward));
      expect(untypedNotices(resource, backward)).toEqual(untypedNotices(resource, forward));
    }),
    { numRuns: 500 },
  );
});

test("a ghost of any name is explained", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.array(fc.string(), { maxLength: 6 }), (kind, name, holders) => {
      const ref = { group: "", version: "v1", kind, namespace: "env", name };
      const why = whyMissing(
        ref,
        holders.map((holder) => ({ ...ref, name: holder })),
      );
      expect(why.chain).toMatchObject([{ level: "reference", ref, status: "Missing" }]);
      expect(renderEnglish(why.nextStep)).not.toBe("");
    }),
  );
});
