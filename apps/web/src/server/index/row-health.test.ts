import { EnvironmentHealthSchema, HealthStatus } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import { toRowHealth } from "../wire/to-proto.ts";

const { DEGRADED } = HealthStatus;

test("UB2: a row of the index gets the first issue alone, without its chain, and the numbers of all", () => {
  const issue = (key: string, membersTotal: number) => ({
    key,
    status: DEGRADED,
    why: { reason: "NotFound", words: { id: "reference/other" } },
    membersTotal,
    members: Array.from({ length: Math.min(20, membersTotal) }, (_, n) => ({ ref: { name: `${key}-${n}` }, status: DEGRADED })),
  });
  const health = create(EnvironmentHealthSchema, { issues: [issue("a", 63), issue("b", 1)], issuesTotal: 70, resourcesTotal: 150 });
  const { issues, issuesTotal, resourcesTotal } = toRowHealth(health);
  expect({ issuesTotal, resourcesTotal }).toEqual({ issuesTotal: 70, resourcesTotal: 150 });
  expect(issues.map((each) => [each.key, each.membersTotal, each.members.map(({ ref }) => ref?.name), each.why])).toEqual([
    ["a", 63, ["a-0"], undefined],
  ]);
  expect(health.issues).toHaveLength(2);
});
