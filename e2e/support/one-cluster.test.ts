import { readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { leftOutOn, leftOutOnEmbeddedAll, ONE_CLUSTER, projectOf, withoutCluster } from "./one-cluster.ts";

const all = readdirSync(join(import.meta.dirname, "..", "tests"));
const keptBy = (leftOut: readonly string[]): string[] => all.filter((file) => !leftOut.includes(`**/${file}`));

test("only specifications that exist are exceptions", () => {
  expect(Object.keys(ONE_CLUSTER).filter((file) => !all.includes(file))).toEqual([]);
});

test("every specification runs in exactly one project", () => {
  const pages = withoutCluster().map((pattern) => pattern.slice("**/".length));
  const run = [...(["real", "embedded"] as const).flatMap((project) => keptBy(leftOutOn(project, all))), ...pages];
  expect(run.toSorted()).toEqual(all.toSorted());
});

test("what is no exception runs on the real cluster, and embedded-all runs it on the embedded one", () => {
  const ordinary = all.filter((file) => !(file in ONE_CLUSTER));
  expect(ordinary).toContain("environment.spec.ts");
  expect(ordinary.map(projectOf)).toEqual(ordinary.map(() => "real"));
  const embeddedAll = keptBy(leftOutOnEmbeddedAll());
  expect(embeddedAll.toSorted()).toEqual([...ordinary, ...keptBy(leftOutOn("embedded", all))].toSorted());
});
