import { expect, test } from "vitest";

import type { Attempt } from "./action-attempt.ts";
import { isFollowed } from "./use-following.ts";

const WRITTEN = { kind: "written", atMs: 1 } as const;

test.each<[boolean, string, Pick<Attempt, "state" | "follow"> | undefined]>([
  [true, "is written and not shown yet", { state: WRITTEN, follow: { kind: "waiting" } }],
  [true, "is in progress", { state: WRITTEN, follow: { kind: "progressing" } }],
  [true, "is slow", { state: WRITTEN, follow: { kind: "slow" } }],
  [true, "has failed, and may recover", { state: WRITTEN, follow: { kind: "failed" } }],
  [false, "has settled", { state: WRITTEN, follow: { kind: "settled", endedMs: 2 } }],
  [false, "is about a resource that is gone", { state: WRITTEN, follow: { kind: "gone", endedMs: 2 } }],
  [false, "was not written", { state: { kind: "refused", why: "" }, follow: { kind: "waiting" } }],
  [false, "is being sent", { state: { kind: "sending" }, follow: { kind: "waiting" } }],
  [false, "is not there", undefined],
])("the time is followed each second: %s, for an action that %s", (isExpected, _, attempt) => {
  expect(isFollowed(attempt)).toBe(isExpected);
});
