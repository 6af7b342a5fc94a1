import { NodeSchema, SettledState, SourceSchema, StaleCause, type Source, type SourceSchema as Schema } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { formatSecond } from "../../ui/format-time.ts";
import { sampledAge, sampledCount, sampledKinds, sampledSourceOf, sampledWords } from "./sampled-kinds.ts";

const NOW = Date.parse("2026-01-01T12:36:00Z");

function source(resource: string, init: MessageInitShape<typeof Schema> = {}): Source {
  return create(SourceSchema, { resource, namespace: "prod", settled: SettledState.LIVE, shown: 1, ...init });
}

function sampled(resource: string, ageMs: number, { everyMs = 30_000, namespace = "prod" } = {}): Source {
  const stale = { staleCause: StaleCause.SAMPLED, staleSince: timestampFromMs(NOW - ageMs), every: durationFromMs(everyMs) };
  return source(resource, { ...stale, namespace });
}

test("I4: kinds that are listed now and then are counted, with their pace; a kind of which there is none is not among them", () => {
  const absent = source("widgets", { staleCause: StaleCause.SAMPLED, staleSince: timestampFromMs(NOW), shown: 0 });
  const kinds = sampledKinds([source("pods"), absent, sampled("secrets", 20_000), sampled("events", 5_000), sampled("configmaps", 1_000)]);
  expect(kinds && sampledCount(kinds)).toBe("3 kinds every 30 s");
  expect(kinds && sampledWords(kinds, NOW)).toBe(`configmaps, events, secrets as of ${formatSecond(NOW - 20_000, NOW)}, every 30 s`);
  expect(sampledKinds([source("pods"), absent])).toBeUndefined();
});

test("I4: the sentence has the oldest poll and the longest interval, and at most three names", () => {
  const kinds = sampledKinds(
    ["a", "b", "c", "d", "e"].map((name, index) => sampled(name, index * 10_000, { everyMs: index === 2 ? 60_000 : 30_000 })),
  );
  expect(kinds && sampledWords(kinds, NOW)).toBe(`a, b, c and 2 more kinds as of ${formatSecond(NOW - 40_000, NOW)}, every 60 s`);
  expect(sampledKinds([sampled("secrets", 0)])).toMatchObject({ names: ["secrets"] });
});

test("I4: a kind that is stale because the way is broken is not one that is looked at now and then", () => {
  expect(sampledKinds([source("pods", { staleCause: StaleCause.WAY, staleSince: timestampFromMs(NOW) })])).toBeUndefined();
});

test("I4: a resource is as old as the list of its own kind and namespace", () => {
  const node = create(NodeSchema, { ref: { resource: "secrets", namespace: "prod" } });
  const other = sampled("secrets", 1_000, { namespace: "else" });
  const own = sampled("secrets", 20_000);
  expect(sampledSourceOf(node, [other, own, sampled("pods", 1)])).toBe(own);
  expect(sampledSourceOf(node, [other])).toBeUndefined();
  expect(sampledAge(own, NOW)).toBe(`as of ${formatSecond(NOW - 20_000, NOW)}, every 30 s`);
});
