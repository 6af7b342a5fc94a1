import fc from "fast-check";
import { expect, test } from "vitest";

import { renderEnglish } from "@binnacle/words/render-english";

import type { KubeObject } from "@binnacle/kube";

import { factOf } from "./fact.ts";
import { health } from "./health.ts";
import { HEALTH_ORDER } from "./health-status.ts";
import { frozen, ODD_KINDS, oddJson } from "./odd-objects.ts";
import { replicasOf } from "./replicas.ts";

/** Field names that rules read, so that random objects get deep into them. */
const NAMES =
  "name namespace uid kind apiVersion generation labels annotations ownerReferences finalizers deletionTimestamp creationTimestamp type status reason message lastTransitionTime observedGeneration conditions phase state health replicas readyReplicas updatedReplicas availableReplicas desiredNumberScheduled containerStatuses initContainerStatuses waiting terminated lastState restartCount ready exitCode loadBalancer ingress spec volumes persistentVolumeClaim claimName active lastScheduleTime parents ports port endpoints targetRef suspend paused updateStrategy rollingUpdate partition data selector".split(
    " ",
  );

const TEXTS = [
  "True",
  "False",
  "Unknown",
  "Ready",
  "Progressing",
  "CrashLoopBackOff",
  "Pending",
  "Running",
  "2026-01-01T00:00:00Z",
  "5",
  "constructor",
  "",
];

const json = oddJson(NAMES, TEXTS);

const odd = fc
  .record({ kind: fc.constantFrom(...ODD_KINDS), metadata: json, spec: json, status: json, data: json, endpoints: json })
  .map(({ kind: [apiVersion, kind], ...rest }) => ({ apiVersion, kind, ...rest }));

const untypedHealth = health as (resource: unknown, context?: unknown) => ReturnType<typeof health>;

test("never throws, never mutates, and answers a known status with words, whatever the shapes", () => {
  fc.assert(
    fc.property(
      odd,
      fc.oneof(fc.array(odd, { maxLength: 4 }), json),
      fc.oneof(fc.constant("2026-01-01T12:00:00Z"), json),
      (resource, related, now) => {
        frozen([resource, related]);
        const result = untypedHealth(resource, { now, related });
        // A rule that throws is caught and shown; here it would be a defect.
        expect(result?.reason).not.toBe("RuleFailed");
        if (result === null) return;
        expect(HEALTH_ORDER).toContain(result.status);
        expect(result.reason).not.toBe("");
        expect(renderEnglish(result.message)).not.toBe("");
        expect(result.since === undefined || !Number.isNaN(Date.parse(result.since))).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("facts and replicas never throw on odd shapes", () => {
  fc.assert(
    fc.property(odd, fc.array(odd, { maxLength: 3 }), (resource, related) => {
      // Odd on purpose: the readers take unknown input.
      const object = frozen(resource) as unknown as KubeObject;
      expect(["string", "undefined"]).toContain(typeof factOf(object, related as unknown as KubeObject[])?.id);
      const replicas = replicasOf(object);
      expect(replicas === null || (Number.isFinite(replicas.ready) && Number.isFinite(replicas.wanted))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("the order of related objects does not matter", () => {
  fc.assert(
    fc.property(odd, fc.array(odd, { maxLength: 4 }), (resource, related) => {
      const named = related.map((object, index) => ({ ...object, metadata: { ...Object(object.metadata), name: `n${index}` } }));
      const now = "2026-01-01T12:00:00Z";
      expect(untypedHealth(resource, { now, related: [...named].reverse() })).toEqual(untypedHealth(resource, { now, related: named }));
    }),
    { numRuns: 500 },
  );
});
