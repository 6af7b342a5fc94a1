import { describe, expect, test } from "vitest";

import { quoted } from "@binnacle/words";

import { worstOf, type HealthStatus } from "./health-status.ts";
import { rollUp, type RollUpRoot } from "./roll-up.ts";

interface RootOf {
  readonly kind: string;
  readonly name: string;
  readonly group?: string;
  readonly since?: string;
}

function root(status: HealthStatus, { kind, name, group = "", since }: RootOf): RollUpRoot {
  const health = { status, reason: "R", message: quoted("words"), stale: false, causes: [], ...(since === undefined ? {} : { since }) };
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

  test("of equal causes the one that began first comes first, and one without a known beginning comes last", () => {
    const { issues } = rollUp([
      root("Degraded", { kind: "Pod", name: "a-unknown" }),
      root("Degraded", { kind: "Pod", name: "b-late", since: "2026-01-02T00:00:00Z" }),
      root("Degraded", { kind: "Pod", name: "c-early", since: "2026-01-01T00:00:00Z" }),
    ]);
    expect(issues.map(({ members }) => members[0]?.ref.name)).toEqual(["c-early", "b-late", "a-unknown"]);
  });
});

describe("weights as data", () => {
  const job = root("Suspended", { kind: "Job", name: "j", group: "batch" });
  const pod = root("Degraded", { kind: "Pod", name: "p" });

  test("name a kind, or a kind of one group, which is more exact", () => {
    expect(rollUp([pod], { weights: { Pod: "ignore" } }).status).toBeNull();
    expect(rollUp([pod], { weights: { Pod: "ignore", "/Pod": "count" } }).status).toBe("Degraded");
    expect(rollUp([pod], { weights: { "metrics.k8s.io/Pod": "ignore" } }).status).toBe("Degraded");
  });

  test("go before the default and before a function, which still judge the other kinds", () => {
    expect(rollUp([job], { weights: { "batch/Job": "count" } }).status).toBe("Suspended");
    expect(rollUp([job, pod], { weights: { Job: "count" }, weightOf: () => "ignore" })).toMatchObject({ status: "Suspended" });
  });

  test("named like something of every object do not confuse it", () => {
    expect(rollUp([root("Degraded", { kind: "constructor", name: "c", group: "x.io" })], { weights: {} }).status).toBe("Degraded");
  });
});

describe("expected roots", () => {
  const expected = ["a", "b"].map((name) => ({ group: "apps", version: "v1", kind: "Deployment", namespace: "env", name }));
  const deployment = (status: HealthStatus, name: string) => root(status, { kind: "Deployment", name, group: "apps" });

  test("are Missing when all are gone", () => {
    const gone = rollUp([], { expected });
    expect(gone).toMatchObject({ status: "Missing", reason: "NotFound", counts: { Missing: 2 } });
    expect(gone.issues.map(({ members }) => members[0]?.ref.name)).toEqual(["a", "b"]);
    expect(rollUp([deployment("Healthy", "stranger")], { expected })).toMatchObject({ status: "Missing", counts: { Healthy: 1 } });
  });

  test("say nothing while one of them is there", () => {
    expect(rollUp([deployment("Healthy", "b")], { expected })).toMatchObject({ status: "Healthy", counts: { Missing: 0 } });
  });

  test("are counted once when the graph knows them as ghosts", () => {
    expect(rollUp([deployment("Missing", "a")], { expected }).counts.Missing).toBe(2);
  });

  test("of a kind that is not readable are not known to be gone", () => {
    const hidden = [{ group: "apps", kind: "Deployment" }];
    expect(rollUp([], { expected, hidden })).toMatchObject({ status: null, partial: true });
  });
});

test("rules that have failed do not hide what is broken", () => {
  const failed = Array.from({ length: 60 }, (_, n) => root("Unknown", { kind: "Widget", name: `w${n}`, group: "x.io" }));
  const result = rollUp([...failed, root("Degraded", { kind: "Pod", name: "broken" })]);
  expect(result).toMatchObject({ status: "Unknown", counts: { Unknown: 60, Degraded: 1 }, issuesTotal: 61 });
  expect(result.issues).toHaveLength(50);
  expect(result.issues.at(-1)?.members[0]?.ref.name).toBe("broken");
});

describe("the worst of statuses", () => {
  test("no opinion never wins, wherever it stands", () => {
    expect(worstOf([null, "Healthy", undefined, "Missing", null])).toBe("Missing");
  });

  test("is no opinion when there is none", () => {
    expect(worstOf([null, undefined])).toBeNull();
  });
});
