import { describe, expect, test } from "vitest";

import { quoted } from "@binnacle/words";
import { inEnglish, renderEnglish } from "@binnacle/words/render-english";

import type { HealthStatus } from "./health-status.ts";
import { missingHealth } from "./missing-health.ts";
import { rollUp, type RollUpRoot } from "./roll-up.ts";

function root(kind: string, name: string, status: HealthStatus | null): RollUpRoot {
  const group = kind === "Deployment" ? "apps" : kind === "CronJob" || kind === "Job" ? "batch" : "";
  const ref = { group, version: "v1", kind, namespace: "env", name };
  const health = status === null ? null : { status, reason: `${status}Reason`, message: quoted(`${name} words`), stale: false, causes: [] };
  return { ref, health };
}

describe("rollUp", () => {
  test("is the worst root in the order Healthy, Suspended, Progressing, Missing, Degraded, Unknown", () => {
    const order: HealthStatus[] = ["Healthy", "Suspended", "Progressing", "Missing", "Degraded", "Unknown"];
    for (let worst = 0; worst < order.length; worst += 1) {
      const roots = order.slice(0, worst + 1).map((status) => root("Deployment", status, status));
      expect(rollUp(roots).status).toBe(order[worst]);
    }
  });

  test("counts, names every root worst first, and speaks in the words of the first", () => {
    const many = [1, 2, 3, 4, 5, 6].map((n) => root("Deployment", `p${n}`, "Progressing"));
    const result = rollUp([...many, root("Deployment", "web", "Degraded"), root("Pod", "ok", "Healthy")]);
    expect(result.counts).toEqual({ Healthy: 1, Suspended: 0, Progressing: 6, Missing: 0, Degraded: 1, Unknown: 0 });
    expect(result.issues.map(({ members }) => members[0]?.ref.name)).toEqual(["web", "p1", "p2", "p3", "p4", "p5", "p6"]);
    expect(inEnglish(result)).toMatchObject({ reason: "DegradedReason", message: "Deployment web: web words (and 6 more not healthy)" });
    expect(result).toMatchObject({ issuesTotal: 7, resourcesTotal: 7 });
  });

  test("speaks of one resource as of one", () => {
    expect(renderEnglish(rollUp([root("Pod", "a", "Healthy")]).message)).toBe("The only checked resource is healthy");
    expect(renderEnglish(rollUp([root("Pod", "a", "Healthy"), root("Pod", "b", "Healthy")]).message)).toBe(
      "All 2 checked resources are healthy",
    );
  });

  test("does not count what has no opinion, nor suspended Jobs and CronJobs", () => {
    const result = rollUp([
      root("CronJob", "c", "Suspended"),
      root("Job", "j", "Suspended"),
      root("Secret", "s", null),
      root("Deployment", "d", "Healthy"),
    ]);
    expect(result).toMatchObject({ status: "Healthy", reason: "AllHealthy", partial: false });
    expect(rollUp([root("CronJob", "c", "Degraded")]).status).toBe("Degraded");
    expect(rollUp([root("Deployment", "d", "Suspended")]).status).toBe("Suspended");
  });

  test("takes other weights from the caller", () => {
    const weightOf = ({ ref }: RollUpRoot) => (ref.kind === "Pod" ? "ignore" : "count");
    expect(rollUp([root("Pod", "p", "Degraded")], { weightOf }).status).toBeNull();
  });

  test("is partial only when a kind with a rule, or a custom kind, is hidden", () => {
    const healthy = [root("Deployment", "d", "Healthy")];
    const neutral = rollUp(healthy, {
      hidden: [
        { group: "rbac.authorization.k8s.io", kind: "Role" },
        { group: "", kind: "Secret" },
      ],
    });
    expect(neutral).toMatchObject({ partial: false, reason: "AllHealthy" });
    expect(neutral.hidden.map(({ kind }) => kind)).toEqual(["Secret", "Role"]);
    expect(rollUp(healthy, { hidden: [{ group: "batch", kind: "Job" }] })).toMatchObject({ partial: true, reason: "HealthyPartial" });
    expect(rollUp(healthy, { hidden: [{ group: "example.com", kind: "Widget" }] }).partial).toBe(true);
  });

  test("UB1: is partial when of a kind with a rule not everything is known, and says so in other words than of a right that lacks", () => {
    const healthy = [root("Deployment", "web", "Healthy")];
    const partial = rollUp(healthy, { hidden: [{ group: "batch", kind: "Job" }], unknown: [{ group: "", kind: "Pod" }] });
    expect(partial).toMatchObject({ partial: true, reason: "HealthyPartial" });
    expect(renderEnglish(partial.message)).toBe("The only checked resource is healthy; not visible: Job; not all known: Pod");
    expect(partial.hidden).toEqual([{ group: "batch", kind: "Job" }]);
    expect(rollUp(healthy, { unknown: [{ group: "", kind: "Secret" }] })).toMatchObject({ partial: false, reason: "AllHealthy" });
  });

  test("of nothing has no status", () => {
    expect(rollUp([])).toMatchObject({ status: null, reason: "NothingToRate", issues: [], issuesTotal: 0, resourcesTotal: 0 });
  });

  test("shows a missing reference", () => {
    const ghost: RollUpRoot = { ...root("ConfigMap", "settings", null), health: missingHealth("ConfigMap", "settings", ["Pod web-0"]) };
    expect(inEnglish(rollUp([root("Deployment", "d", "Healthy"), ghost]))).toMatchObject({
      status: "Missing",
      reason: "NotFound",
      message: "ConfigMap settings does not exist; referenced by Pod web-0",
    });
  });

  test("a missing reference names three of those who need it, and counts the others", () => {
    expect(renderEnglish(missingHealth("Secret", "tls", ["a", "b", "c", "d", "e"]).message)).toBe(
      "Secret tls does not exist; referenced by a, b, c and 2 more",
    );
  });
});

describe("a Service without ready endpoints", () => {
  const NOT_SERVED = { status: "Progressing", reason: "NoReadyEndpoints", message: quoted("none"), stale: false, causes: [] } as const;
  const ref = { group: "", version: "v1", kind: "Service", namespace: "env", name: "web" };
  const why = (rootKey: string) => ({ rootKey, reason: "R", message: quoted("why"), nextStep: quoted("do it") });

  test("is no issue beside the pods that it follows from, and is counted as what it is", () => {
    const result = rollUp([{ ref, health: NOT_SERVED, why: why("object/apps/ReplicaSet/env/web-1#crash/error/app") }]);
    expect({ issues: result.issuesTotal, counts: result.counts.Progressing, status: result.status }).toEqual({
      issues: 0,
      counts: 1,
      status: "Progressing",
    });
  });

  test("is an issue where nothing else explains it", () => {
    expect(rollUp([{ ref, health: NOT_SERVED, why: why("object//Service/env/web#network/no-ready-endpoints") }]).issuesTotal).toBe(1);
    expect(rollUp([{ ref, health: NOT_SERVED }]).issuesTotal).toBe(1);
  });
});
