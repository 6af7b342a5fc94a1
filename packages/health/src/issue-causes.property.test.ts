import { readdirSync, readFileSync } from "node:fs";

import type { KubeObject } from "@binnacle/kube";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { health } from "./health.ts";
import { refOf } from "./health-ref.ts";
import { groupIssues, MAX_GROUPS, type UnwellResource } from "./issue-groups.ts";
import { explain } from "./why/explain.ts";
import { causeOf } from "./why/root-key.ts";
import type { WhyContext } from "./why/why.ts";
import { whyOf } from "./why/why-of.ts";

const FOLDER = new URL("../fixtures/why-cases/", import.meta.url);
const NOW = "2026-01-01T12:00:00Z";

interface Member extends UnwellResource {
  readonly cause: string;
}

/** Every recorded case that has a cause. Most have the same names of objects, so that only the cause tells them apart. */
const recorded = readdirSync(FOLDER).flatMap((file): Member[] => {
  // The files are ours and have this shape; why-cases.test.ts fails on another.
  const { resource, context } = JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")) as { resource: KubeObject; context: WhyContext };
  const [result, explained] = [health(resource, context), explain(resource, context)];
  if (result === null || result.status === "Healthy" || explained === null) return [];
  const identified = { ...explained.why, id: explained.id };
  return [{ ref: { ...refOf({ ...resource }), name: file }, health: result, why: explained.why, cause: causeOf(identified) }];
});

/** A pod on node bench-1, with the events about it. */
function podOnNode(name: string, status: object, events: readonly object[] = []): UnwellResource {
  const metadata = { name, namespace: "env", uid: name, creationTimestamp: "2026-01-01T10:00:00Z" };
  const pod: KubeObject = { apiVersion: "v1", kind: "Pod", metadata, spec: { nodeName: "bench-1", containers: [{ name: "app" }] }, status };
  const about = { apiVersion: "v1", kind: "Pod", name, namespace: "env", uid: name };
  const context: WhyContext = {
    now: NOW,
    events: events.map((event) => ({
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "e", namespace: "env" },
      involvedObject: about,
      ...event,
    })),
  };
  const result = health(pod, context);
  const why = whyOf(pod, context);
  if (result === null || why === null) throw new Error(`${name} is well`);
  return { ref: refOf({ ...pod }), health: result, why };
}

describe("B5: an issue is one object and one cause", () => {
  test("B5: a pod that was evicted and a pod whose node is lost are two issues, each in its own words and since its own time", () => {
    const low = "The node was low on resource: memory. Threshold quantity: 100Mi, available: 52Mi. ";
    const evicted = podOnNode("batch", {
      phase: "Failed",
      reason: "Evicted",
      message: low,
      conditions: [
        { type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet", lastTransitionTime: "2026-01-01T10:52:10Z" },
      ],
    });
    const lost = ["checkout", "web"].map((name) =>
      podOnNode(
        name,
        {
          phase: "Running",
          conditions: [
            { type: "ContainersReady", status: "True", lastTransitionTime: "2026-01-01T10:01:00Z" },
            { type: "Ready", status: "False", lastTransitionTime: "2026-01-01T11:12:00Z" },
          ],
          containerStatuses: [{ name: "app", ready: true, restartCount: 0, state: { running: { startedAt: "2026-01-01T10:01:00Z" } } }],
        },
        [
          {
            type: "Warning",
            reason: "NodeNotReady",
            message: "Node is not ready",
            firstTimestamp: "2026-01-01T11:12:00Z",
            lastTimestamp: "2026-01-01T11:12:00Z",
            count: 1,
          },
        ],
      ),
    );
    const { issues } = groupIssues([evicted, ...lost]);
    const reported = issues.map(({ reason, since, members }) => ({ reason, since, members: members.map(({ ref }) => ref.name) }));
    expect(reported.toSorted((left, right) => (left.reason < right.reason ? -1 : 1))).toEqual([
      { reason: "Evicted", since: "2026-01-01T10:52:10Z", members: ["batch"] },
      { reason: "NodeLost", since: "2026-01-01T11:12:00Z", members: ["checkout", "web"] },
    ]);
  });

  test("B5: in any mix of recorded faults, members of different causes never share an issue", () => {
    const causes = new Map(recorded.map(({ ref, cause }) => [ref.name, cause]));
    fc.assert(
      fc.property(fc.subarray(recorded, { minLength: 2 }), (mix) => {
        for (const { members } of groupIssues(mix).issues) {
          expect(new Set(members.map(({ ref }) => causes.get(ref.name))).size, members.map(({ ref }) => ref.name).join()).toBe(1);
        }
      }),
    );
    expect(new Set(causes.values()).size).toBeGreaterThan(MAX_GROUPS);
  });

  test("B5: sentence, next step and time of an issue are those of one of its members", () => {
    const whys = new Map(recorded.map(({ ref, why }) => [ref.name, why]));
    fc.assert(
      fc.property(fc.subarray(recorded, { minLength: 2 }), (mix) => {
        for (const { members, message, nextStep, since } of groupIssues(mix).issues) {
          const ofOne = members.map(({ ref }) => whys.get(ref.name)).find((why) => why?.message === message);
          expect({ nextStep, since }).toEqual({ nextStep: ofOne?.nextStep, since: ofOne?.firstBadAt });
        }
      }),
    );
  });
});
