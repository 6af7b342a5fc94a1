import { SettledState, SourceSchema, type Source } from "@binnacle/proto/dashboard";
import { words } from "@binnacle/words";
import { toWordsMessage } from "@binnacle/proto/words";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import { truncatedWords } from "./banners.tsx";

function source(resource: string, settled: SettledState, counts: { shown: number; total: number; namespace?: string }): Source {
  return create(SourceSchema, { resource, settled, ...counts, words: toWordsMessage(words("source/too-large")) });
}

const { LIVE, TRUNCATED } = SettledState;

test("UB1: there is no sentence while every resource of every kind is shown", () => {
  expect(truncatedWords([source("pods", LIVE, { shown: 3, total: 0 })])).toBeUndefined();
});

test("UB1: a kind that is shown in part says how much of it, over all namespaces, and why", () => {
  const sources = [
    source("pods", TRUNCATED, { shown: 900, total: 1_000, namespace: "a" }),
    source("pods", TRUNCATED, { shown: 62, total: 9_000, namespace: "b" }),
  ];
  expect(truncatedWords([...sources, source("services", LIVE, { shown: 3, total: 0 })])).toBe(
    "pods: 962 of 10,000 shown. Its objects need more memory than this view may use. What is not shown is not in any count.",
  );
});

test("UB1: of many kinds the first are named, and a total that is not known is not made up", () => {
  const sources = ["pods", "jobs", "secrets", "routes"].map((resource) => source(resource, TRUNCATED, { shown: 10, total: 0 }));
  expect(truncatedWords(sources)).toMatch(/^pods: 10, not all, jobs: 10, not all, secrets: 10, not all and of 1 more kind not all shown\./);
});
