import { EnvironmentHealthSchema, HealthStatus } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import { toListedHealth, toRowHealth } from "../wire/to-proto.ts";

const { DEGRADED } = HealthStatus;

const issue = (key: string, membersTotal: number) => ({
  key,
  status: DEGRADED,
  why: { reason: "NotFound", words: { id: "reference/other" } },
  membersTotal,
  members: Array.from({ length: Math.min(20, membersTotal) }, (_, n) => ({ ref: { name: `${key}-${n}` }, status: DEGRADED })),
});

test("UB2: a row of the index gets the first issue alone, without its chain, and the numbers of all", () => {
  const health = create(EnvironmentHealthSchema, { issues: [issue("a", 63), issue("b", 1)], issuesTotal: 70, resourcesTotal: 150 });
  const { issues, issuesTotal, resourcesTotal } = toRowHealth(health);
  expect({ issuesTotal, resourcesTotal }).toEqual({ issuesTotal: 70, resourcesTotal: 150 });
  expect(issues.map((each) => [each.key, each.membersTotal, each.members.map(({ ref }) => ref?.name), each.why])).toEqual([
    ["a", 63, ["a-0"], undefined],
  ]);
  expect(health.issues).toHaveLength(2);
});

test("a row whose issues are listed gets all of them, with the members that a title names, without chains and what does not count", () => {
  const listed = Array.from({ length: 50 }, (_, n) => issue(`i${n}`, 63));
  const health = create(EnvironmentHealthSchema, { issues: listed, issuesTotal: 70, uncounted: [issue("u", 1)], uncountedTotal: 1 });
  const { issues, issuesTotal, uncounted } = toListedHealth(health);
  expect({ issuesTotal, uncounted, length: issues.length }).toEqual({ issuesTotal: 70, uncounted: [], length: 50 });
  expect(issues[49]).toMatchObject({ key: "i49", membersTotal: 63 });
  expect(issues.every(({ members, why }) => members.length === 3 && why === undefined)).toBe(true);
  expect(toRowHealth(health).uncounted).toEqual([]);
  expect(health.issues[0]?.why).toBeDefined();
});
