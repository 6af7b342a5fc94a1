import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ConnectionState, EnvironmentRowSchema, HealthStatus, ProblemKind, RowGap, type EnvironmentRow } from "@binnacle/proto/dashboard";
import { describe, expect, test } from "vitest";
import { formatClock, formatSecond } from "../text/format-time.ts";
import { sourceWords, summaryWords, type KnownRow } from "./index-words.ts";
import { knowledgeOf, type StreamStanding } from "./row-knowledge.ts";

const NOW = 1_800_000_000_000;
const MINUTE = 60_000;
const WELL: StreamStanding = { nowMs: NOW, lostSinceMs: undefined, kept: new Map() };
const CONNECTED = { state: ConnectionState.CONNECTED };
const OFFLINE = { state: ConnectionState.AGENT_OFFLINE };

type Init = Exclude<MessageInitShape<typeof EnvironmentRowSchema>, EnvironmentRow>;

function row(init: Init): EnvironmentRow {
  return create(EnvironmentRowSchema, { environment: { name: "a", agentId: 3n }, connection: CONNECTED, ...init });
}

function live(status: HealthStatus = HealthStatus.HEALTHY, init: Init = {}): EnvironmentRow {
  return row({ health: { status }, live: true, asOf: timestampFromMs(NOW - 10 * MINUTE), ...init });
}

function sampled(ageMs: number, status: HealthStatus = HealthStatus.HEALTHY, init: Init = {}): EnvironmentRow {
  return row({ health: { status }, asOf: timestampFromMs(NOW - ageMs), every: durationFromMs(30_000), ...init });
}

const LOADING = row({ gap: RowGap.NOT_LOOKED_AT });
const FORBIDDEN = row({ problem: { kind: ProblemKind.AGENT_FORBIDDEN } });
const BARE = row({ environment: { name: "bare" }, problem: { kind: ProblemKind.NO_AGENT } });

function all(rows: readonly EnvironmentRow[], standing = WELL): KnownRow[] {
  return rows.map((each) => ({ row: each, knowledge: knowledgeOf(each, standing) }));
}

function words(rows: readonly EnvironmentRow[], standing = WELL): string {
  return summaryWords(all(rows, standing), NOW);
}

describe("UB1: under the heading", () => {
  test("nothing is known yet: no word of attention", () => {
    expect(words([LOADING, LOADING, LOADING])).toBe("3 environments, health of 3 not known yet.");
  });

  test("some are not known yet: problems are reported, the health of the rest is not", () => {
    expect(words([live(), LOADING])).toBe("2 environments, health of 1 not known yet.");
    expect(words([live(HealthStatus.DEGRADED), LOADING])).toBe("2 environments, health of 1 not known yet. 1 needs attention.");
  });

  test("all are known and of now", () => {
    expect(words([live(), sampled(20_000)])).toBe("2 environments. None needs attention.");
    expect(words([live(HealthStatus.UNKNOWN), live(HealthStatus.MISSING), live()])).toBe("3 environments. 2 need attention.");
  });

  test("the agent has gone: it was so at a time", () => {
    const at = formatClock(NOW - 5 * MINUTE, NOW);
    expect(words([sampled(5 * MINUTE, HealthStatus.DEGRADED, { connection: OFFLINE }), live()])).toBe(
      `2 environments. 1 needs attention as of ${at}, agent offline.`,
    );
    expect(words([sampled(5 * MINUTE, HealthStatus.DEGRADED, { connection: OFFLINE }), live(HealthStatus.DEGRADED)])).toBe(
      `2 environments. 2 need attention, 1 of them as of ${at}, agent offline.`,
    );
    expect(words([sampled(5 * MINUTE, HealthStatus.HEALTHY, { connection: OFFLINE }), live()])).toBe(
      `2 environments. None needed attention as of ${at}, agent offline.`,
    );
  });

  test("the stream is lost: nothing is of now", () => {
    const lost = { ...WELL, lostSinceMs: NOW - 1_000 };
    expect(words([live()], lost)).toContain("None needed attention as of");
    expect(words([live()], lost)).toContain("Binnacle does not answer");
  });

  test("what may not be seen is not counted as known, and an environment without an agent needs nothing", () => {
    expect(words([live(), FORBIDDEN])).toBe("2 environments, 1 not visible to you. None needs attention.");
    expect(words([FORBIDDEN])).toBe("1 environment, 1 not visible to you.");
    expect(words([BARE])).toBe("1 environment, 1 without an agent that you may see.");
    expect(words([BARE, FORBIDDEN, FORBIDDEN])).toBe("3 environments, 2 not visible to you, 1 without an agent that you may see.");
    expect(words([row({ gap: RowGap.FORBIDDEN }), live()])).toBe("2 environments, 1 not visible to you. None needs attention.");
  });
});

describe("UB1: under the table", () => {
  const under = (rows: readonly EnvironmentRow[], standing = WELL): ReturnType<typeof sourceWords> => sourceWords(all(rows, standing), NOW);

  test("Live only when every row is live and its agent connected", () => {
    expect(under([live(), live()])).toEqual({ live: true, words: "Live" });
    expect(under([live(), live(HealthStatus.HEALTHY, { connection: OFFLINE })]).live).toBe(false);
    expect(under([live(), live(HealthStatus.HEALTHY, { connection: { state: ConnectionState.RECONNECTING } })]).live).toBe(false);
    expect(under([live(), LOADING])).toEqual({ live: false, words: "Health of 1 not known yet" });
    expect(under([FORBIDDEN])).toEqual({ live: false, words: "" });
  });

  test("rows that are looked at say when, and how often", () => {
    const at = formatSecond(NOW - 20_000, NOW);
    expect(under([sampled(20_000), sampled(5_000)])).toEqual({ live: false, words: `As of ${at}, every 30 s` });
    expect(under([sampled(20_000), live()])).toEqual({ live: false, words: `1 as of ${at}, every 30 s` });
    const slow = sampled(20_000, HealthStatus.HEALTHY, { every: durationFromMs(4 * MINUTE) });
    expect(under([slow]).words).toBe(`As of ${at}, about every 4 min`);
  });

  test("a row whose look is overdue is not up to date", () => {
    expect(under([sampled(5 * MINUTE)]).words).toBe(`1 out of date since ${formatClock(NOW - 5 * MINUTE, NOW)}, no newer data`);
  });
});

describe("what is known of a row", () => {
  test("numbers of an earlier stream are as good as new for a moment, then old", () => {
    const kept = (ms: number): StreamStanding => ({ ...WELL, kept: new Map([["a", NOW - ms]]) });
    expect(knowledgeOf(live(HealthStatus.HEALTHY, { live: false }), kept(1_000))).toEqual({ kind: "fresh" });
    expect(knowledgeOf(live(HealthStatus.HEALTHY, { live: false }), kept(10_000))).toMatchObject({ kind: "old", why: "reconnecting" });
  });

  test.each([
    ["was never reached", row({ gap: RowGap.NOT_LOOKED_AT, connection: OFFLINE }), "agent-offline"],
    ["cannot be queried, because kas is unreachable", row({ connection: { state: ConnectionState.KAS_UNREACHABLE } }), "kas-unreachable"],
    ["has no API server now", row({ connection: { state: ConnectionState.API_DOWN } }), "api-down"],
    ["has never connected", row({ connection: { state: ConnectionState.AGENT_NEVER_CONNECTED } }), "never-connected"],
    ["is being queried", LOADING, "loading"],
    ["cannot be read", row({ gap: RowGap.FAILED }), "failed"],
    ["is too large", row({ gap: RowGap.TOO_LARGE }), "too-large"],
  ])("UB1: a row whose cluster %s is not known, and says why", (_title, each, why) => {
    expect(knowledgeOf(each, WELL)).toEqual({ kind: "unknown", why });
  });

  test("what is known and cannot be read now is old", () => {
    expect(knowledgeOf(sampled(1_000, HealthStatus.HEALTHY, { gap: RowGap.FAILED }), WELL)).toMatchObject({ kind: "old", why: "failed" });
  });
});
