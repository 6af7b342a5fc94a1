import { describe, expect, test } from "vitest";

import { worstOf, type HealthStatus } from "./health-status.ts";
import { rollUp, type RollUpRoot } from "./roll-up.ts";

interface RootOf {
  readonly kind: string;
  readonly name: string;
  readonly group?: string;
  readonly since?: string;
}

function root(status: HealthStatus, { kind, name, group = "", since }: RootOf): RollUpRoot {
  const health = { status, reason: "R", message: "words", stale: false, causes: [], ...(since === undefined ? {} : { since }) };
  return { ref: { group, version: "v1", kind, namespace: "env", name }, health };
}

describe("what counts in a roll-up", () => {
  test("Events of both groups do not, however bad they are", () => {
    const events = ["", "events.k8s.io"].map((group) => root("Degraded", { kind: "Event", name: "e", group }));
    expect(rollUp([...events, root("Healthy", { kind: "Pod", name: "p" })])).toMatchObject({ status: "Healthy", reason: "AllHealthy" });
  });

  test("an Event of a group that only has the kind's name does", () => {
    expect(rollUp([root("Degraded", { kind: "Event", name: "e", group: "calendar.example" })]).status).toBe("Degraded");
  });

  test("of equal causes the one that began first comes first, and one that began nobody knows when comes last", () => {
    const { causes } = rollUp([
      root("Degraded", { kind: "Pod", name: "a-unknown" }),
      root("Degraded", { kind: "Pod", name: "b-late", since: "2026-01-02T00:00:00Z" }),
      root("Degraded", { kind: "Pod", name: "c-early", since: "2026-01-01T00:00:00Z" }),
    ]);
    expect(causes.map(({ ref }) => ref.name)).toEqual(["c-early", "b-late", "a-unknown"]);
  });
});

describe("the worst of statuses", () => {
  test("no opinion never wins, wherever it stands", () => {
    expect(worstOf([null, "Healthy", undefined, "Missing", null])).toBe("Missing");
  });

  test("is no opinion when nobody has one", () => {
    expect(worstOf([null, undefined])).toBeNull();
  });
});
