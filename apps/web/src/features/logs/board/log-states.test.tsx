import { LogSourceState } from "@binnacle/proto/dashboard-logs";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted } from "@binnacle/words";
import { ENGLISH } from "@binnacle/words/en";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { setLanguage } from "../../../ui/messages.ts";
import { NO_LOGS_STATE, type LogsState } from "../../address/logs-state.ts";
import { sourceLabels, type ShownSource } from "../store/log-sources.ts";
import type { LogSnapshot } from "../store/log-store.ts";
import { LogNotices } from "./log-notices.tsx";
import { NoLines } from "./no-lines.tsx";

beforeEach(() => setLanguage(ENGLISH, "en"));
afterEach(() => setLanguage(ENGLISH, "en"));

const NOW = Date.parse("2026-11-28T12:00:00Z");
const NOTHING: LogSnapshot = {
  version: 1,
  rows: [],
  groupStarts: new Set(),
  sources: [],
  unlistedLines: 0,
  isReadByAgent: true,
  reading: { kind: "reading" },
  dropped: { lines: 0, untilNanos: 0n },
  isPaused: false,
  waiting: 0,
};

const source = (id: number, change: Partial<ShownSource> = {}): ShownSource => ({
  id,
  namespace: "shop",
  pod: `web-${id}`,
  container: "app",
  kind: 0,
  containerId: String(id),
  restarts: 0,
  state: LogSourceState.READING,
  words: undefined,
  roleYaml: "",
  hasLeft: false,
  colour: 0,
  progress: undefined,
  ...change,
});
const refused = source(1, {
  state: LogSourceState.REFUSED,
  words: toWordsMessage(quoted("pods/log is forbidden")),
  roleYaml: "kind: Role\n",
});

function empty(snapshot: Partial<LogSnapshot>, state: Partial<LogsState> = {}): string {
  const all = { ...NOTHING, ...snapshot };
  const nothing = (): void => undefined;
  return renderToStaticMarkup(
    <NoLines snapshot={all} state={{ ...NO_LOGS_STATE, ...state }} nowMs={NOW} onRetry={nothing} onReadAll={nothing} />,
  );
}

function notices(snapshot: Partial<LogSnapshot>, missingLine?: string): string {
  const all = { ...NOTHING, ...snapshot };
  return renderToStaticMarkup(<LogNotices snapshot={all} labels={sourceLabels(all.sources)} missingLine={missingLine} nowMs={NOW} />);
}

const EMPTY: readonly (readonly [string, Partial<LogSnapshot>, Partial<LogsState>, RegExp])[] = [
  ["nothing known yet", { isReadByAgent: undefined, reading: { kind: "loading" } }, {}, /aria-label="Loading lines"/],
  ["no pod", {}, {}, /No containers: there is no pod/],
  ["containers that have not started", { sources: [source(1, { state: LogSourceState.WAITING })] }, {}, /Waiting for containers to start/],
  ["no line", { sources: [source(1)] }, {}, /No lines yet/],
  ["no line in a time", { sources: [source(1)] }, { since: "5m" }, /No lines since 5 minutes ago/],
  ["no earlier run", { sources: [source(1)] }, { previous: true }, /before the last restart/],
  [
    "no line that matches",
    { sources: [source(1, { progress: { lines: 120, bytes: 1, matches: 0, reachedEnd: true } })] },
    { levels: ["error"] },
    /No line matches\. 120 lines were read.*Read all lines/s,
  ],
  [
    "no line that matches, with sources that are not listed any more",
    { sources: [source(1, { progress: { lines: 120, bytes: 1, matches: 0, reachedEnd: true } })], unlistedLines: 1_000 },
    { levels: ["error"] },
    /No line matches\. 1120 lines were read/s,
  ],
  ["no right, by the cluster", { sources: [refused] }, {}, /You may not read these logs.*pods\/log is forbidden.*kind: Role.*Copy Role/s],
  [
    "no right, by the agent",
    { reading: { kind: "rejected", reason: "no access to the agent", isDenied: true } },
    {},
    /You may not read these logs.*no access to the agent/s,
  ],
  [
    "a request that is rejected",
    { reading: { kind: "rejected", reason: "too many pods", isDenied: false } },
    {},
    /These logs cannot be read.*too many pods.*Try again/s,
  ],
];

test.each(EMPTY.map(([name, snapshot, state, words]) => ({ name, snapshot, state, words })))(
  "$name has a text of its own",
  ({ snapshot, state, words }) => {
    expect(empty(snapshot, state)).toMatch(words);
  },
);

test.each<[string, Partial<LogSnapshot>, RegExp]>([
  ["a break", { reading: { kind: "lost", reason: "network error", sinceMs: NOW } }, /Not connected since .*: network error\. Trying again/],
  ["the end of the session", { reading: { kind: "session-ended" } }, /Your session has ended/],
  ["a full page", { reading: { kind: "full" } }, /Reading stopped/],
  [
    "a source that is denied beside others",
    { sources: [refused, source(2)] },
    /Logs of web-1 are not visible to you: pods\/log is forbidden.*kind: Role/s,
  ],
  [
    "sources over the limit",
    { sources: [source(1), source(2, { state: LogSourceState.OVER_LIMIT, words: toWordsMessage(quoted("Agent 17.3 reads 4")) })] },
    /1 container is not read: web-2\. Agent 17\.3 reads 4/,
  ],
  [
    "a source that fails",
    { sources: [source(1, { state: LogSourceState.FAILED, words: toWordsMessage(quoted("kubelet away")) })] },
    /1 container cannot be read now; trying again: kubelet away/,
  ],
  ["lines that fell off", { dropped: { lines: 12, untilNanos: BigInt(NOW) * 1_000_000n } }, /12 older lines are not kept \(until /],
])("%s is shown above the lines", (_, snapshot, words) => {
  expect(notices(snapshot)).toMatch(words);
});

test("a right that is withdrawn while lines are shown is named above them, without a line in their place only", () => {
  const line = { type: "line", atNanos: 1n, timeNanos: 1n, text: "ready", cutBytes: 0, level: 0, isContext: false } as const;
  const text = notices({ sources: [refused], rows: [{ ...line, id: 1, source: 1 }] });
  expect(text).toMatch(/are not visible to you: pods\/log is forbidden.*kind: Role/s);
  expect(notices({ sources: [refused] })).toBe("");
});

test("nothing is shown while all is read, and a missing line of a link is", () => {
  expect(notices({ sources: [source(1)] })).toBe("");
  expect(notices({ sources: [source(1)] }, "11:58:20")).toContain("lines around 11:58:20 are shown");
});

test("where the agent reads no logs, a notice says so above the lines, and not where they cannot be read at all", () => {
  const sentence = /data-notice="read-here".*These logs are read through the Kubernetes API, four containers at a time/s;
  expect(notices({ isReadByAgent: false, sources: [source(1)] })).toMatch(sentence);
  expect(notices({ isReadByAgent: false, reading: { kind: "rejected", reason: "no", isDenied: true } })).not.toMatch(sentence);
  expect(notices({ isReadByAgent: undefined })).toBe("");
});
