import { describe, expect, test } from "vitest";

import { commit, failures, map, maps, outcomes } from "./manifest-texts.ts";
import { bench } from "./sync-bench.ts";

const MIB = 1024 * 1024;

/** As many files as a project may have. */
const FILES = 1_000;
const OBJECTS = 2_000;

describe("large commits", () => {
  test("two thousand manifests in a thousand files are all applied and listed, and the second time nothing changes", async () => {
    const names = Array.from({ length: OBJECTS }, (_, index) => `m${index}`);
    const files = Array.from({ length: FILES }, (_, index) => ({
      source: `${index}.yaml`,
      data: Buffer.from(maps(...names.slice(index * 2, index * 2 + 2))),
    }));
    const large = { commitId: "c1", projectId: 7n, files };
    const first = await bench.sync(large);
    expect([...first.errors, ...failures(first)]).toEqual([]);
    expect(first.state).toBe("synced");
    expect(await bench.seen()).toEqual({ live: names.toSorted(), listed: bench.lines(...names).toSorted() });
    const second = await bench.sync({ ...large, commitId: "c2" });
    expect(outcomes(second)).toEqual(names.map((name) => `${name} unchanged`).toSorted());
  });

  test("a manifest of almost a megabyte is applied", async () => {
    expect(outcomes(await bench.sync(commit(map("a", `data:\n  k: ${"x".repeat(1_000_000)}\n`))))).toEqual(["a applied"]);
    expect(outcomes(await bench.sync(commit(map("a", `data:\n  k: ${"x".repeat(1_000_000)}\n`))))).toEqual(["a unchanged"]);
  });

  const manyKeys = Array.from({ length: 30_000 }, (_, index) => `  ${"key".repeat(6)}-${index}: x\n`).join("");
  test.each([
    ["a ConfigMap may be", `data:\n  k: ${"x".repeat(MIB + 1)}\n`, /^big all\.yaml:\d+ .*may not be more than 1048576 bytes/],
    ["etcd takes with all that is kept about it", `data:\n${manyKeys}`, /^big all\.yaml:6 .*request is too large/],
    // Each quotation mark takes two bytes in JSON.
    ["the API server reads", `data:\n  k: '${'"'.repeat(2 * MIB)}'\n`, /^big all\.yaml:6 .*limit is 3145728/],
  ])("a manifest that is larger than %s is reported with the reason, and the rest is applied", async (_title, data, reason) => {
    const report = await bench.sync(commit(`${map("a")}---\n${map("big", data)}---\n${map("z")}`));
    expect(failures(report)).toEqual([expect.stringMatching(reason)]);
    expect(report.state).toBe("failed");
    expect(await bench.seen()).toEqual({ live: ["a", "z"], listed: bench.lines("a", "z") });
  });

  test("a manifest that no API server would read is an error of its file, and nothing of the commit is applied", async () => {
    const report = await bench.sync(commit(`${map("a")}---\n${map("big", `data:\n  k: ${"x".repeat(3 * MIB)}\n`)}`));
    expect(report).toMatchObject({
      state: "invalid",
      errors: [{ source: "all.yaml", line: 6, message: "the object is larger than 3 MiB" }],
    });
    expect(await bench.seen()).toEqual({ live: [], listed: [] });
  });
});
