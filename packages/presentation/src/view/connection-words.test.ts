import { expect, test } from "vitest";
import { formatClock } from "../text/format-time.ts";
import { connectionSentence } from "./connection-words.ts";

const NOW = Date.parse("2026-01-01T12:36:00Z");
const AT = { sinceMs: NOW - 300_000, asOfMs: NOW - 300_000 };
const FACTS = { agent: "demo", message: "", hasContent: true, nowMs: NOW };

test("US6: a Kubernetes API, an agent, an agent server and a dashboard that are away are four sentences", () => {
  const sentences = [
    connectionSentence({ kind: "api-down", ...AT }, { ...FACTS, message: "the request to the cluster's API server failed (ECONNREFUSED)" }),
    connectionSentence({ kind: "agent-offline", ...AT }, FACTS),
    connectionSentence({ kind: "kas-unreachable", ...AT }, FACTS),
    connectionSentence({ kind: "bff-unreachable", ...AT, grey: true }, FACTS),
  ];
  expect(sentences[0]).toMatch(
    /^Agent demo is connected, but the Kubernetes API behind it has not answered since .*: .*\(ECONNREFUSED\)\. Showing/,
  );
  expect(sentences[1]).toMatch(/^Agent demo has been offline since /);
  expect(sentences[2]).toMatch(/^kas \(agent server\) has not answered since .*, so nothing is known of agent demo\. /);
  expect(sentences[3]).toMatch(/^Binnacle itself has not answered since /);
  for (const sentence of sentences) expect(sentence).toMatch(/Showing data as of .*\. Trying again every few seconds\.$/);
});

test("US6: without data the sentence has no time of data", () => {
  const sentence = connectionSentence({ kind: "agent-offline", ...AT }, { ...FACTS, hasContent: false });
  expect(sentence).toMatch(/Nothing has been read yet\. Trying again every few seconds\.$/);
});

test.each(["connecting", "live"] as const)("there is no sentence while the state is %s", (kind) => {
  expect(connectionSentence(kind === "live" ? { kind, asOfMs: NOW } : { kind }, FACTS)).toBeUndefined();
});

test("US5: without a known begin the sentence has no time", () => {
  const away = { sinceMs: undefined, asOfMs: NOW - 300_000 };
  expect(connectionSentence({ kind: "agent-offline", ...away }, FACTS)).toMatch(/^Agent demo is offline\. Showing/);
  expect(connectionSentence({ kind: "api-down", ...away }, FACTS)).toMatch(/behind it does not answer\. Showing/);
  expect(connectionSentence({ kind: "kas-unreachable", ...away }, FACTS)).toMatch(/^kas \(agent server\) does not answer, so/);
});

test("US5: a picture that was kept is called the last one, with its time and its age", () => {
  const sentence = connectionSentence({ kind: "agent-offline", sinceMs: undefined, asOfMs: NOW - 7_200_000 }, { ...FACTS, isKept: true });
  expect(sentence).toBe(
    `Agent demo is offline. This is the last known state, of ${formatClock(NOW - 7_200_000, NOW)} (2 h ago). Trying again every few seconds.`,
  );
});

test("US5: while the picture of now is read, the last one is still called that, and the sentence does not report silence", () => {
  const sentence = connectionSentence({ kind: "stale", asOfMs: NOW - 7_200_000 }, { ...FACTS, isKept: true });
  expect(sentence).toMatch(/^The current state is being read\. This is the last known state, of .* \(2 h ago\)\.$/);
});
