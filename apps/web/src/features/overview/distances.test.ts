import { CompareVersionsResponseSchema, type CompareVersionsRequest } from "@binnacle/proto/dashboard-overview";
import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Distances } from "./distances.ts";

const pair = (head: string) => ({ projectPath: "g/a", base: "a", head });
let requests: number[];
let nowMs: number;
let isKnown: boolean;
let distances: Distances;

beforeEach(() => {
  vi.useFakeTimers();
  [requests, nowMs, isKnown] = [[], 0, true];
  const compareVersions = ({ pairs = [] }: Pick<CompareVersionsRequest, "pairs"> | { readonly pairs?: readonly object[] }) => {
    requests.push(pairs.length);
    return Promise.resolve(create(CompareVersionsResponseSchema, { distances: pairs.map(() => ({ known: isKnown, ahead: 3 })) }));
  };
  distances = new Distances(
    () => ({ compareVersions }),
    () => nowMs,
  );
});

afterEach(() => {
  vi.useRealTimers();
});

test("pairs that come on the screen together are requested together, at most fifty at a time, and each once", async () => {
  for (let index = 0; index < 70; index += 1) distances.want(pair(`h${index}`));
  distances.want(pair("h0"));
  await vi.advanceTimersByTimeAsync(1_000);
  distances.want(pair("h1"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect([requests, distances.of(pair("h1"))?.ahead]).toEqual([[50, 20], 3]);
});

test("what could not be known is requested again after a minute", async () => {
  isKnown = false;
  distances.want(pair("h"));
  await vi.advanceTimersByTimeAsync(1_000);
  distances.want(pair("h"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(requests).toEqual([1]);
  [nowMs, isKnown] = [61_000, true];
  distances.want(pair("h"));
  await vi.advanceTimersByTimeAsync(1_000);
  expect([requests, distances.of(pair("h"))?.known]).toEqual([[1, 1], true]);
});
