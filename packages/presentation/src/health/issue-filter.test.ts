import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { HealthStatus, IssueGroupSchema, type IssueGroup } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted } from "@binnacle/words";
import { expect, test } from "vitest";
import { byNewest, byWorst, isNew, isWanted, NOTICE, statusKeyOf } from "./issue-filter.ts";

const { DEGRADED, HEALTHY, PROGRESSING } = HealthStatus;
const HOUR_MS = 3_600_000;
const NOW_MS = 10 * HOUR_MS;

function issue(name: string, status: HealthStatus, more: { readonly sinceMs?: number; readonly notice?: boolean } = {}): IssueGroup {
  return create(IssueGroupSchema, {
    key: name,
    status,
    reason: "Broken",
    words: toWordsMessage(quoted(`${name} lacks a disk`)),
    ...(more.sinceMs === undefined ? {} : { since: timestampFromMs(more.sinceMs) }),
    notice: more.notice ?? false,
    membersTotal: 2,
    members: [
      { ref: { kind: "Deployment", name }, status },
      { ref: { kind: "Pod", name: `${name}-pod` }, status },
    ],
    kinds: ["Deployment", "Pod"],
  });
}

const old = issue("old", DEGRADED, { sinceMs: 1 * HOUR_MS });
const fresh = issue("fresh", DEGRADED, { sinceMs: NOW_MS - 60_000 });
const ghost = issue("ghost", DEGRADED);
const rolling = issue("rolling", PROGRESSING, { sinceMs: 0 });
const lost = issue("lost", HEALTHY, { notice: true });
const unwellLost = issue("unwell-lost", DEGRADED, { notice: true, sinceMs: 5 });
const ALL = [lost, ghost, fresh, unwellLost, rolling, old];

const keysOf = (issues: readonly IssueGroup[]): readonly string[] => issues.map(({ key }) => key);

test("worst first, then the earliest begin; unknown begins follow others of the same status, and notices follow all statuses", () => {
  expect(keysOf(ALL.toSorted(byWorst))).toEqual(["old", "fresh", "ghost", "rolling", "unwell-lost", "lost"]);
});

test("newest first; unknown begins come last, the worst of them first", () => {
  expect(keysOf(ALL.toSorted(byNewest))).toEqual(["fresh", "old", "unwell-lost", "rolling", "ghost", "lost"]);
});

test("new is what is known to have begun within the hour, and nothing while the time is unknown", () => {
  expect(keysOf(ALL.filter((each) => isNew(each, NOW_MS)))).toEqual(["fresh"]);
  expect(ALL.filter((each) => isNew(each, 0))).toEqual([]);
});

test.each([
  ["", 6],
  ["  LACKS a disk ", 6],
  ["fresh-POD", 1],
  ["broken", 6],
  ["production", 6],
  ["<b>", 0],
])("the search %j reads title, sentence, members, and what stands beside them: %i", (q, count) => {
  expect(ALL.filter((each) => isWanted(each, { q, health: [], kinds: [] }, "production"))).toHaveLength(count);
});

test("a notice is found under that alone, whatever the status of its members is", () => {
  const under = (...health: readonly string[]) => keysOf(ALL.filter((each) => isWanted(each, { q: "", health, kinds: [] })));
  expect(statusKeyOf(unwellLost)).toBe(NOTICE);
  expect(under("degraded")).toEqual(["ghost", "fresh", "old"]);
  expect(under(NOTICE, "progressing")).toEqual(["lost", "unwell-lost", "rolling"]);
});

test("kinds of all members count", () => {
  const kinds = (...wanted: readonly string[]) => ALL.filter((each) => isWanted(each, { q: "", health: [], kinds: wanted })).length;
  expect([kinds("Pod"), kinds("Service"), kinds("Service", "Deployment")]).toEqual([6, 0, 6]);
});
