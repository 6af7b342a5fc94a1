import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  EnvironmentHealthSchema,
  HealthStatus,
  IssueGroupSchema,
  type EnvironmentHealth,
  type IssueGroup,
} from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import {
  issueSinceMs,
  issuesHeading,
  namesOf,
  reasonOfIssue,
  shortTitleOfIssue,
  shownIssues,
  titleOfIssue,
  unnamedMembers,
  unsentIssues,
  wordsOfFilter,
} from "./issue-words.ts";

const { UNKNOWN, DEGRADED, MISSING, PROGRESSING, SUSPENDED, HEALTHY } = HealthStatus;

function issue(
  names: readonly string[],
  init: { readonly total?: number; readonly status?: HealthStatus; readonly reason?: string } = {},
): IssueGroup {
  const { total = names.length, status = DEGRADED, reason = "ImagePullBackOff" } = init;
  const members = names.map((name) => ({ ref: { kind: "Deployment", name }, status }));
  const reasonWords = reason === "ImagePullBackOff" ? { reasonWords: toWordsMessage(words("title/image/pull-failed")) } : {};
  return create(IssueGroupSchema, {
    key: names[0] ?? "",
    status,
    reason,
    ...reasonWords,
    membersTotal: total,
    members,
    kinds: ["Deployment"],
  });
}

function health(issues: readonly IssueGroup[], totals: { readonly issues: number; readonly resources: number }): EnvironmentHealth {
  const counts = [DEGRADED, PROGRESSING, HEALTHY].map((status) => ({ status, count: 1 }));
  return create(EnvironmentHealthSchema, { issues: [...issues], issuesTotal: totals.issues, resourcesTotal: totals.resources, counts });
}

test("UB2: the heading has the numbers of all, not of what came", () => {
  expect(issuesHeading(health([issue(["a"])], { issues: 12, resources: 61 }), true)).toBe("12 issues, worst first: 61 resources");
  expect(issuesHeading(health([issue(["a"])], { issues: 1, resources: 1 }), true)).toBe("1 issue: 1 resource");
});

test("UB2: while kinds are still being read the heading does not say that this is all", () => {
  expect(issuesHeading(health([], { issues: 3, resources: 4 }), false)).toBe("3 issues so far, worst first: 4 resources");
});

test("UB2: a title of many names two and counts all the others, also those without a name here", () => {
  expect(titleOfIssue(issue(["web"]))).toBe("Deployment web: image cannot be pulled");
  expect(titleOfIssue(issue(["a", "b"]))).toBe("a and b: image cannot be pulled");
  expect(titleOfIssue(issue(["a", "b", "c"]))).toBe("a, b and c: image cannot be pulled");
  expect(titleOfIssue(issue(["a", "b", "c", "d"], { total: 63 }))).toBe("a, b and 61 more: image cannot be pulled");
  expect(namesOf(issue(["a"], { total: 9 }))).toBe("a and 8 more");
});

test("ux-3: of a server of an earlier release the stable word is quoted, and without one the status stands for it", () => {
  expect(titleOfIssue(issue(["web"], { reason: "NodeLost" }))).toBe("Deployment web: “NodeLost”");
  expect(titleOfIssue(issue(["web"], { reason: "", status: UNKNOWN }))).toBe("Deployment web: Unknown");
});

test("a title for a row of the index leaves room for the reason beside a long name", () => {
  const long = `${"x".repeat(40)}-end`;
  const title = shortTitleOfIssue(issue([long]));
  expect(title).toMatch(/^Deployment x+….*-end: image cannot be pulled$/);
  expect(title.length).toBeLessThan(70);
});

test("an issue without a reason says its status, and one without members its reason", () => {
  expect(reasonOfIssue(issue(["a"], { reason: "", status: UNKNOWN }))).toBe("Unknown");
  expect(titleOfIssue(issue([], { reason: "NotFound" }))).toBe("“NotFound”");
});

test("UB2: of thirteen issues five are shown, the others behind a button that says how many; then all", () => {
  const issues = Array.from({ length: 13 }, (_, n) => issue([`n${n}`]));
  expect(shownIssues(issues, false)).toEqual({ shown: issues.slice(0, 5), more: 8 });
  expect(shownIssues(issues, true)).toEqual({ shown: issues, more: 0 });
  expect(shownIssues(issues.slice(0, 6), false).more).toBe(0);
});

test("UB2: what the server counted and did not send is counted, and found in the list by its statuses", () => {
  const rest = unsentIssues(health([issue(["a"])], { issues: 14, resources: 61 }));
  expect(rest).toEqual({ count: 13, filter: { kinds: [], health: ["degraded", "progressing"] } });
  expect(wordsOfFilter(rest.filter)).toBe("Degraded, Progressing");
  const late = health([issue(["a"]), issue(["b"], { status: PROGRESSING }), issue(["c"], { status: PROGRESSING })], {
    issues: 4,
    resources: 4,
  });
  expect(unsentIssues(late)).toEqual({ count: 1, filter: { kinds: [], health: ["progressing"] } });
  expect(unsentIssues(health([issue(["a"])], { issues: 1, resources: 1 })).count).toBe(0);
});

test("UB2: members without a name are counted, and found in the list by kind and status", () => {
  const { count, filter } = unnamedMembers(issue(["a", "b"], { total: 63 }));
  expect({ count, filter }).toEqual({
    count: 61,
    filter: { kinds: ["Deployment"], health: ["degraded", "missing", "progressing", "suspended"] },
  });
  expect([MISSING, SUSPENDED].map((status) => unnamedMembers(issue(["a"], { total: 2, status })).filter.health[0])).toEqual([
    "missing",
    "suspended",
  ]);
  expect(unnamedMembers(issue(["a", "b"])).count).toBe(0);
});

test("since when an issue is there is the server's time, or not known", () => {
  expect(issueSinceMs(create(IssueGroupSchema, { since: timestampFromMs(1000) }))).toBe(1000);
  expect(issueSinceMs(issue(["a"]))).toBeUndefined();
});
