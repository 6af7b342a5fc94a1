import { readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { leftOutOn, ONE_CLUSTER, withoutCluster } from "./one-cluster.ts";

const tests = join(import.meta.dirname, "..", "tests");

test("only specifications that exist are kept from a cluster, and none runs nowhere", () => {
  const all = readdirSync(tests);
  expect(Object.keys(ONE_CLUSTER).filter((file) => !all.includes(file))).toEqual([]);
  expect(leftOutOn("embedded").filter((pattern) => leftOutOn("real").includes(pattern))).toEqual(withoutCluster());
  expect(leftOutOn("embedded").length + leftOutOn("real").length).toBe(Object.keys(ONE_CLUSTER).length + withoutCluster().length);
});
