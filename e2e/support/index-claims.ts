import { expect } from "@playwright/test";

import type { IndexFrame, ShownRow } from "./index-frames.ts";

/** What was true of a project over a time, and what of it could be known. */
export interface IndexTruth {
  /** Words of `data-health` by environment that were true at some moment of that time. */
  readonly health: Readonly<Record<string, readonly string[]>>;
  /** How an issue begins that there was. */
  readonly issues: readonly RegExp[];
  /** Whether something needed attention all the time. */
  readonly needsAttention: boolean;
  /** Since when nothing of the cluster could be known, by the clock of this machine; absent: it could. */
  readonly brokenSinceMs?: number;
}

/** So long after a break it may be called fresh: the agent's silence has to be noticed first (docs/design/view.md "Sources and freshness"). */
const NOTICED_MS = 45_000;
/** What was on its way comes so late. */
const LATE_MS = 2_000;
const WORDS: Readonly<Record<string, string>> = {
  degraded: "Degraded",
  missing: "Missing",
  progressing: "Progressing",
  healthy: "Healthy",
  suspended: "Suspended",
  unknown: "Unknown",
};

/** Holds every frame against what was true: nothing is claimed that was not, and nothing is called newer than it was. */
export function expectTrue(frames: readonly IndexFrame[], truth: IndexTruth): void {
  expect(frames.length, "the page was looked at").toBeGreaterThan(0);
  for (const frame of frames) {
    const where = `at ${new Date(frame.atMs).toISOString()}: ${JSON.stringify(frame)}`;
    const all = [frame.summary, frame.foot, ...frame.rows.map(({ text }) => text), ...frame.issues.map(({ text }) => text)];
    expect(frame.title, where).toMatch(/^(?:Paused · )?(?:Environments of \S+|Binnacle)(?: · Binnacle)?$/);
    expect(frame.icon, where).toMatch(/^\/icon\.svg/);
    if (truth.needsAttention) expect(frame.summary, where).not.toMatch(/None need|No issue/);
    for (const row of frame.rows) expectRow(row, truth, where);
    expectCounts(frame, where);
    for (const { text } of frame.issues)
      expect(
        truth.issues.some((each) => each.test(text)),
        `${text} ${where}`,
      ).toBe(true);
    const isNew = frame.rows.every(({ knowledge, text }) => (knowledge === "fresh" || knowledge === "outside") && !text.includes("as of"));
    if (frame.isLive) expect(isNew, `live ${where}`).toBe(true);
    if (truth.brokenSinceMs === undefined) continue;
    const isNoticed = frame.atMs > truth.brokenSinceMs + NOTICED_MS;
    if (isNoticed) expect(frame.isLive || frame.rows.some(({ knowledge }) => knowledge === "fresh"), `live ${where}`).toBe(false);
    // What a page was sent with is of then; that is no more than it says where nothing is known.
    const isBlank = frame.rows.every(({ knowledge }) => knowledge === "unknown" || knowledge === "outside");
    for (const text of isNoticed && !isBlank ? all : []) {
      for (const [match, clock = ""] of text.matchAll(/as of (\d\d:\d\d)/gi)) {
        expect(momentOf(clock, frame.atMs), `${match} ${where}`).toBeLessThan(truth.brokenSinceMs + LATE_MS);
      }
    }
  }
}

function expectRow({ name, health, knowledge, text }: ShownRow, truth: IndexTruth, where: string): void {
  expect(["none", ...(truth.health[name] ?? [])], `${name} ${where}`).toContain(health);
  const word = WORDS[health];
  if (word !== undefined) expect(text, where).toMatch(new RegExp(`^${word}`));
  if (knowledge === "unknown") expect(`${health} ${text}`, where).toMatch(/^none (?:Not known yet|Unknown)/);
  if (knowledge === "outside") expect(`${health} ${text}`, where).toMatch(/^none Not visible to you/);
}

/** The pills count the rows that are there. */
function expectCounts({ counts, rows, isArriving }: IndexFrame, where: string): void {
  if (isArriving || rows.length === 0 || counts.length === 0) return;
  const counted = new Map(counts.map((text) => [text.replace(/ ?\d+$/, ""), Number(/\d+$/.exec(text)?.[0])]));
  expect(counted.get("All"), where).toBe(rows.length);
  for (const [health, word] of Object.entries(WORDS)) {
    expect(counted.get(word) ?? 0, `${word} ${where}`).toBe(rows.filter((row) => row.health === health).length);
  }
  const blank = ["Empty", "Not known yet", "Not visible to you"].map((word) => counted.get(word) ?? 0);
  expect(
    blank.reduce((sum, count) => sum + count, 0),
    where,
  ).toBe(rows.filter(({ health }) => health === "none").length);
}

/** When a clock has shown a time on the day of a moment. */
function momentOf(clock: string, dayMs: number): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return new Date(dayMs).setHours(hours, minutes, 0, 0);
}
