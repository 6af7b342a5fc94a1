import { join } from "node:path";

import { expect, test } from "vitest";

import { runFaults } from "./fault-run.ts";
import type { PlantedFault } from "./planted-fault.ts";

const root = join(import.meta.dirname, "..", "..");

function fault(id: string, find: string, replace: string): PlantedFault {
  return { id, file: "countdown.ts", find, replace, what: id };
}

function run(faults: readonly PlantedFault[], ...files: readonly string[]) {
  const packageDir = join(root, "scripts", "faults", "sample");
  const include = (files.length > 0 ? files : ["countdown.sample.ts"]).map((file) => `scripts/faults/sample/${file}`);
  return runFaults({ packageDir, faults, engine: { root, include }, lanes: 1, limitMs: 5_000 });
}

test("a fault is found, a harmless change survives, and what does not fit or does not parse is neither", { timeout: 300_000 }, async () => {
  const verdicts = await run([
    fault("comment", "  return numbers;", "  // in order\n  return numbers;"),
    fault("off by one", "left > 0", "left > 1"),
    fault("another comment", "const numbers", "/* still well */ const numbers"),
    fault("absent", "left >= 0", "left > 0"),
    fault("ambiguous", "left", "right"),
    fault("no code", "return numbers;", "return return;"),
    fault("throws when loaded", "export function", "null.x;\nexport function"),
    fault("for ever", "left -= 1", "left -= 0, numbers.length = 0"),
    fault("after that", "left > 0", "left > 2"),
  ]);
  expect(verdicts.map(({ fault: { id }, verdict }) => `${id}: ${verdict}`)).toEqual([
    "comment: survived",
    "off by one: found",
    "another comment: survived",
    "absent: does-not-apply",
    "ambiguous: does-not-apply",
    "no code: broken",
    "throws when loaded: broken",
    "for ever: found",
    "after that: found",
  ]);
  expect(verdicts[1]?.because).toBe("ends at one");
  expect(verdicts[7]?.because).toBe("the tests do not end");
});

test("a fault with a case is found by that case alone, or not at all", { timeout: 300_000 }, async () => {
  const verdicts = await run([
    { ...fault("one sees it", "numbers.push(left)", "numbers.push(left + 1)"), case: "ends at one" },
    { ...fault("both see it", "left > 0", "left > 1"), case: "ends at one" },
    { ...fault("not noticed", "const numbers", "/* well */ const numbers"), case: "ends at one" },
  ]);
  expect(verdicts.map(({ verdict, because }) => `${verdict}: ${because}`)).toEqual([
    "found: ends at one",
    "not-alone: found by has as many numbers as it begins with",
    "survived: every test passes",
  ]);
});

test("a test that one fault broke does not find the next, which it knows nothing of", { timeout: 300_000 }, async () => {
  const verdicts = await run(
    [
      fault("breaks the other", "left > 0", "left > 1"),
      { ...fault("harmless", "index + 1", "1 + index"), file: "countup.ts" },
      { ...fault("seen", "index + 1", "index"), file: "countup.ts" },
    ],
    "countdown.sample.ts",
    "countup.sample.ts",
  );
  expect(verdicts.map(({ verdict, because }) => `${verdict}: ${because}`)).toEqual([
    "found: ends at one",
    "survived: every test passes",
    "found: begins at one",
  ]);
});

test.each([
  ["fail", "countdown-wrong.sample.ts", "ends at zero"],
  ["are not there", "nothing.sample.ts", "no tests"],
])("tests that %s without a fault say nothing about faults", { timeout: 300_000 }, async (_name, file, words) => {
  await expect(run([fault("off by one", "left > 0", "left > 1")], file)).rejects.toThrow(words);
});
