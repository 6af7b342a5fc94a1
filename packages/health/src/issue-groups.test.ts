import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { quoted } from "@binnacle/words";

import type { KubeObject } from "@binnacle/kube";

import { health } from "./health.ts";
import { HEALTH_ORDER, rankOf, type HealthStatus } from "./health-status.ts";
import { refOf } from "./health-ref.ts";
import { groupIssues, MAX_GROUPS, MAX_MEMBERS, type UnwellResource } from "./issue-groups.ts";
import { rollUp, type RollUpRoot } from "./roll-up.ts";
import { whyOf, whyMissing } from "./why/why-of.ts";
import type { WhyContext } from "./why/why.ts";

const NOW = "2026-01-01T12:00:00Z";

/** A root as a view hands it in: judged, and explained with what is known. */
function rootOf(object: KubeObject, context: Omit<WhyContext, "now"> = {}): RollUpRoot {
  const result = health(object, { now: NOW, ...context });
  return { ref: refOf({ ...object }), health: result, why: whyOf(object, { now: NOW, ...context, health: result }) };
}

function autoscaler(name: string, message: string, target = name): KubeObject {
  const [reason, since] = ["FailedGetResourceMetric", "2026-01-01T11:40:00Z"];
  return {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name, namespace: "env" },
    spec: { maxReplicas: 5, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: target } },
    status: { conditions: [{ type: "ScalingActive", status: "False", reason, message, lastTransitionTime: since }] },
  };
}

function pod(name: string, waiting: { readonly reason: string; readonly message?: string }, image = `${name}:1`): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "env" },
    spec: { containers: [{ name: "app", image }] },
    status: { phase: "Pending", containerStatuses: [{ name: "app", ready: false, restartCount: 0, state: { waiting } }] },
  };
}

const NO_METRICS =
  "unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource";

function namesOf(roots: readonly RollUpRoot[]): string[][] {
  return rollUp(roots).issues.map(({ members }) => members.map(({ ref }) => ref.name));
}

describe("UB2: issues are grouped before anything is cut", () => {
  test("UB2: 63 autoscalers without metrics are one issue of 63 resources, of which 20 are named", () => {
    const roots = Array.from({ length: 63 }, (_, n) => rootOf(autoscaler(`web-${String(n).padStart(4, "0")}`, NO_METRICS)));
    const result = rollUp(roots);
    expect(result).toMatchObject({ issuesTotal: 1, resourcesTotal: 63, counts: { Degraded: 63 } });
    expect(result.issues[0]).toMatchObject({ membersTotal: 63, reason: "FailedGetResourceMetric", kinds: ["HorizontalPodAutoscaler"] });
    expect(result.issues[0]?.members.map(({ ref }) => ref.name)).toEqual(
      Array.from({ length: 20 }, (_, n) => `web-00${String(n).padStart(2, "0")}`),
    );
  });

  test("UB2: of seventeen different faults each is an issue, none is left out", () => {
    const roots = Array.from({ length: 17 }, (_, n) => rootOf(pod(`p${n}`, { reason: "CrashLoopBackOff" })));
    expect(rollUp(roots)).toMatchObject({ issuesTotal: 17, resourcesTotal: 17 });
    expect(rollUp(roots).issues).toHaveLength(17);
  });

  test("UB2: of 70 issues 50 are listed, and the totals are those of all", () => {
    const roots = Array.from({ length: 70 }, (_, n) => rootOf(pod(`p${n}`, { reason: "CrashLoopBackOff" })));
    const result = rollUp(roots);
    expect(result.issues).toHaveLength(MAX_GROUPS);
    expect(result).toMatchObject({ issuesTotal: 70, resourcesTotal: 70 });
  });
});

describe("US3: an issue is one root cause, not one word", () => {
  test("US3: a missing ServiceAccount and a missing target of an autoscaler are two issues, though both are NotFound", () => {
    const account = { group: "", version: "v1", kind: "ServiceAccount", namespace: "env", name: "robot" };
    const target = { group: "apps", version: "v1", kind: "Deployment", namespace: "env", name: "gone" };
    const noSa: KubeObject = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "no-sa", namespace: "env" },
      spec: { replicas: 1, template: { spec: { serviceAccountName: "robot" } } },
      status: { replicas: 0, conditions: [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" }] },
    };
    const scaler = autoscaler("no-target", "the HPA controller was unable to get the target's current scale", "gone");
    const conditions = [{ type: "AbleToScale", status: "False", reason: "FailedGetScale", message: "not found" }];
    const roots = [rootOf(noSa, { missing: [account] }), rootOf({ ...scaler, status: { conditions } }, { missing: [target] })];
    expect(roots.map(({ why, health: result }) => `${result?.status} ${why?.reason}`)).toEqual(["Degraded NotFound", "Degraded NotFound"]);
    expect(namesOf(roots)).toEqual([["no-sa"], ["no-target"]]);
  });

  test("US3: two images that cannot be pulled are two issues, two pods with the same image are one", () => {
    const waiting = { reason: "ImagePullBackOff" };
    const roots = [rootOf(pod("ds-pull", waiting, "a.invalid/x:1")), rootOf(pod("rollout", waiting, "b.invalid/y:2"))];
    expect(namesOf(roots)).toEqual([["ds-pull"], ["rollout"]]);
    expect(namesOf([...roots, rootOf(pod("twin", waiting, "b.invalid/y:2"))])).toEqual([["ds-pull"], ["rollout", "twin"]]);
  });

  test("US3: what lacks an object and the ghost of that object are one issue, with the worst status and the earliest time", () => {
    const ghost = { group: "", version: "v1", kind: "Secret", namespace: "env", name: "tls" };
    const missing: RollUpRoot = {
      ref: ghost,
      health: { status: "Missing", reason: "NotFound", message: quoted("gone"), stale: false, causes: [] },
    };
    const needs = rootOf(pod("web", { reason: "CreateContainerConfigError", message: 'secret "tls" not found' }));
    for (const why of [undefined, whyMissing(ghost, [])]) {
      const { issues } = rollUp([{ ...missing, why }, needs]);
      expect(issues.map(({ status, membersTotal, kinds }) => ({ status, membersTotal, kinds }))).toEqual([
        { status: "Degraded", membersTotal: 2, kinds: ["Pod", "Secret"] },
      ]);
      expect(issues[0]?.members.map(({ ref, status }) => `${ref.kind} ${status}`)).toEqual(["Pod Degraded", "Secret Missing"]);
    }
  });

  test("US3: what is not explained is an issue of its own, whatever its message", () => {
    const same = { status: "Degraded", reason: "NotFound", message: quoted("same words"), stale: false, causes: [] } as const;
    const roots = ["a", "b"].map((name) => ({
      ref: { group: "x.io", version: "v1", kind: "Widget", namespace: "env", name },
      health: same,
    }));
    expect(namesOf(roots)).toEqual([["a"], ["b"]]);
  });
});

const STATUSES = HEALTH_ORDER.filter((status) => status !== "Healthy");

const unwell = fc
  .record({
    name: fc.integer({ min: 0, max: 400 }),
    kind: fc.constantFrom("Pod", "Deployment"),
    status: fc.constantFrom<HealthStatus>(...STATUSES),
    root: fc.option(fc.integer({ min: 0, max: 90 }), { nil: undefined }),
    since: fc.constantFrom(undefined, "soon", "2026-01-01T10:00:00Z", "2026-01-01T10:00:00.5Z", "2026-01-01T09:00:00+02:00"),
  })
  .map(({ name, kind, status, root, since }): UnwellResource => {
    const ref = { group: "", version: "v1", kind, namespace: "env", name: `n${name}` };
    const result = { status, reason: "R", message: quoted("m"), stale: false, causes: [], ...(since === undefined ? {} : { since }) };
    const why = root === undefined ? {} : { why: { rootKey: `root/${root}`, reason: "R", message: quoted("m"), nextStep: quoted("Act.") } };
    return { ref, health: result, ...why };
  });

/** Objects have names of their own. */
const world = fc.uniqueArray(unwell, { maxLength: 300, selector: ({ ref }) => `${ref.kind}/${ref.name}` });

describe("properties of issues", () => {
  test("UB2: every resource is counted once: the members of all groups are the resources", () => {
    fc.assert(
      fc.property(world, (resources) => {
        const { issues, issuesTotal, resourcesTotal } = groupIssues(resources);
        expect(resourcesTotal).toBe(resources.length);
        expect(issues).toHaveLength(Math.min(issuesTotal, MAX_GROUPS));
        const reported = issues.reduce((sum, { membersTotal }) => sum + membersTotal, 0);
        expect(reported === resources.length).toBe(issuesTotal <= MAX_GROUPS);
        for (const { members, membersTotal } of issues) expect(members).toHaveLength(Math.min(membersTotal, MAX_MEMBERS));
      }),
    );
  });

  test("UB2: the totals are those of the keys, whatever is cut", () => {
    fc.assert(
      fc.property(world, (resources) => {
        const keys = new Map<string, number>();
        for (const { ref, health: judged, why } of resources) {
          const cause = judged.status === "Missing" ? "missing" : "R";
          const key = why?.rootKey ?? `object/${ref.group}/${ref.kind}/${ref.namespace}/${ref.name}#${cause}`;
          keys.set(key, (keys.get(key) ?? 0) + 1);
        }
        const { issues, issuesTotal } = groupIssues(resources);
        expect(issuesTotal).toBe(keys.size);
        for (const { key, membersTotal } of issues) expect(membersTotal).toBe(keys.get(key));
        expect(new Set(issues.map(({ key }) => key)).size).toBe(issues.length);
      }),
    );
  });

  test("US3: no group holds resources with different root causes, and the first member is the worst", () => {
    fc.assert(
      fc.property(world, (resources) => {
        const rootOfName = new Map(resources.map(({ ref, why }) => [`${ref.kind}/${ref.name}`, why?.rootKey]));
        for (const { members, status } of groupIssues(resources).issues) {
          expect(new Set(members.map(({ ref }) => rootOfName.get(`${ref.kind}/${ref.name}`))).size).toBe(1);
          expect(members[0]?.status).toBe(status);
          expect(members.every((member) => rankOf(member.status) <= rankOf(status))).toBe(true);
        }
      }),
    );
  });

  test("worst groups first, and the order of what is handed in does not matter", () => {
    fc.assert(
      fc.property(world, (resources) => {
        const result = groupIssues(resources);
        expect(groupIssues(resources.toReversed())).toEqual(result);
        // The last place is kept for what is known to be broken.
        const ranks = result.issues.slice(0, MAX_GROUPS - 1).map(({ status }) => rankOf(status));
        expect(ranks).toEqual(ranks.toSorted((left, right) => right - left));
      }),
    );
  });
});

test("what began first comes before what is as bad and began later, and what has no beginning is last", () => {
  const resource = (name: string, since?: string): UnwellResource => ({
    ref: { group: "", version: "v1", kind: "Pod", namespace: "env", name },
    health: { status: "Degraded", reason: "R", message: quoted("m"), stale: false, causes: [], ...(since === undefined ? {} : { since }) },
  });
  const { issues } = groupIssues([
    resource("a-unknown"),
    resource("b-ten", "2026-01-01T10:00:00Z"),
    resource("c-eight", "2026-01-01T09:30:00+01:00"),
    resource("d-no-time", "soon"),
  ]);
  expect(issues.map(({ members }) => members[0]?.ref.name)).toEqual(["c-eight", "b-ten", "a-unknown", "d-no-time"]);
});

test("US2: an issue is not older than its resource, whatever the status states, and has no age when that is unknown", () => {
  const job = (created: string): KubeObject => ({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "load", namespace: "env", creationTimestamp: created },
    status: {
      conditions: [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded", lastTransitionTime: "2026-01-01T11:40:00Z" }],
    },
  });
  const sinceOf = (created: string) => rollUp([rootOf(job(created))]).issues.map(({ since }) => since);
  expect(sinceOf("2026-01-01T11:00:00Z")).toEqual(["2026-01-01T11:40:00Z"]);
  expect(sinceOf("2026-01-01T11:50:00Z")).toEqual([undefined]);
});
