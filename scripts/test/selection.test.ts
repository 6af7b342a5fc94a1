import { join } from "node:path";

import { expect, test } from "vitest";

import { BROWSER_PARTS, TEST_PART_NAMES } from "./plan.ts";
import { selectTests, type Selection } from "./selection.ts";

const root = join(import.meta.dirname, "..", "..");

/** As in `npm test`, but for Playwright, which takes seconds to answer: every specification is on the real cluster. */
function select(...args: readonly string[]): Selection {
  const projectsOf = (files: readonly string[]) => new Map(files.map((file) => [file, ["real"]]));
  return selectTests(args, { root, parts: TEST_PART_NAMES, projectsOf });
}

function filesOf(...args: readonly string[]): Record<string, readonly string[]> {
  const selection = select(...args);
  return selection.kind === "all" ? {} : Object.fromEntries(selection.files);
}

test("without an argument everything runs", () => {
  expect(select()).toEqual({ kind: "all" });
});

test("a name of a part is that part, whatever paths it occurs in", () => {
  for (const part of TEST_PART_NAMES) expect(select(part)).toEqual({ kind: "some", parts: [part], files: new Map() });
  expect(TEST_PART_NAMES).toEqual(expect.arrayContaining([...BROWSER_PARTS]));
});

test("the path of a file goes to the runner of its kind", () => {
  expect(filesOf("scripts/test/plan.test.ts")).toEqual({ unit: ["scripts/test/plan.test.ts"] });
  expect(filesOf("./scripts/test/second-run.itest.ts")).toEqual({ integration: ["scripts/test/second-run.itest.ts"] });
  expect(filesOf("e2e/chaos")).toEqual({ chaos: ["e2e/chaos/chaos.itest.ts"] });
  expect(filesOf("e2e/tests/access.spec.ts")).toEqual({ real: ["e2e/tests/access.spec.ts"] });
  expect(filesOf(join(root, "scripts/test/plan.test.ts"))).toEqual({ unit: ["scripts/test/plan.test.ts"] });
});

test("a folder is all test files below it, of every kind", () => {
  const files = filesOf("scripts/test/");
  expect(files["unit"]).toContain("scripts/test/plan.test.ts");
  expect(files["integration"]).toContain("scripts/test/second-run.itest.ts");
});

test("any other text is a part of paths", () => {
  expect(filesOf("second-run.it", "t/plan.te")).toEqual({
    integration: ["scripts/test/second-run.itest.ts"],
    unit: ["scripts/test/plan.test.ts"],
  });
});

test.each([["no-such-part"], ["docs"], ["unit tests"]])("%s is neither, which is an error that names the parts", (argument) => {
  expect(() => select("unit", argument)).toThrow(argument);
  expect(() => select(argument)).toThrow(TEST_PART_NAMES.join(", "));
});
