import { describe, expect, test } from "vitest";

import type { HealthStatus } from "./health-status.ts";
import { missingHealth } from "./missing-health.ts";
import { rollUp, type RollUpRoot } from "./roll-up.ts";

function root(kind: string, name: string, status: HealthStatus | null): RollUpRoot {
  const group = kind === "Deployment" ? "apps" : kind === "CronJob" || kind === "Job" ? "batch" : "";
  const ref = { group, version: "v1", kind, namespace: "env", name };
  const health = status === null ? null : { status, reason: `${status}Reason`, message: `${name} words`, stale: false, causes: [] };
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

  test("counts, names at most five causes worst first, and speaks in the words of the first", () => {
    const many = [1, 2, 3, 4, 5, 6].map((n) => root("Deployment", `p${n}`, "Progressing"));
    const result = rollUp([...many, root("Deployment", "web", "Degraded"), root("Pod", "ok", "Healthy")]);
    expect(result.counts).toEqual({ Healthy: 1, Suspended: 0, Progressing: 6, Missing: 0, Degraded: 1, Unknown: 0 });
    expect(result.causes.map(({ ref }) => ref.name)).toEqual(["web", "p1", "p2", "p3", "p4"]);
    expect(result).toMatchObject({ reason: "DegradedReason", message: "Deployment web: web words (and 6 more not healthy)" });
  });

  test("speaks of one resource as of one", () => {
    expect(rollUp([root("Pod", "a", "Healthy")]).message).toBe("The only resource with a health is healthy");
    expect(rollUp([root("Pod", "a", "Healthy"), root("Pod", "b", "Healthy")]).message).toBe("All 2 resources are healthy");
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

  test("of nothing has no status", () => {
    expect(rollUp([])).toMatchObject({ status: null, reason: "NothingToRate", causes: [] });
  });

  test("shows a missing reference", () => {
    const ghost: RollUpRoot = { ...root("ConfigMap", "settings", null), health: missingHealth("ConfigMap", "settings", ["Pod web-0"]) };
    expect(rollUp([root("Deployment", "d", "Healthy"), ghost])).toMatchObject({
      status: "Missing",
      reason: "NotFound",
      message: "ConfigMap settings: ConfigMap settings does not exist; referenced by Pod web-0",
    });
  });
});
