import { renderEnglish } from "@binnacle/words/render-english";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";

import { readDocument } from "./read-document.ts";

function problemOf(text: string): readonly [line: number, sentence: string] {
  const read = readDocument(text);
  if (!("problem" in read)) throw new Error("it was read");
  return [read.problem.line, renderEnglish(read.problem.words)];
}

describe("readDocument", () => {
  test.each<readonly [string, string, number, string]>([
    ["an alias", "a: &x 1\nb: *x", 2, "aliases such as *x are not read"],
    ["aliases of aliases, which are a billion values", bomb(), 2, "aliases such as *a are not read"],
    ["a merge key with an alias", "a: &x {b: 1}\nc:\n  <<: *x", 3, "aliases"],
    ["two documents", "a: 1\n---\nb: 2", 2, "a second document begins here"],
    ["no document", "", 0, "must be one object"],
    ["a list", "- a", 0, "must be one object"],
    ["what is no YAML", "a: 1\nb: [", 2, "this is not YAML"],
    ["a key that comes twice", "a: 1\nb: 1\na: 2", 3, "the key a is here twice"],
    ["a key that is a map", "? {a: 1}\n: 1", 1, "a key must be text"],
    ["a tag", "a: !!binary aGk=", 1, "the tag"],
    ["infinity", "a: .inf", 1, "JSON cannot hold the number .inf"],
    ["an integer that a double does not hold", "a: 9007199254740993", 1, "JSON cannot hold the number 9007199254740993"],
    ["more than a megabyte", `a: ${"x".repeat(1_000_000)}`, 0, "longer than 1000000 bytes"],
    ["brackets by the thousand", `a: ${"[".repeat(200_000)}`, 0, "nested more than 100 levels"],
    [
      "indentation by the thousand",
      Array.from({ length: 1200 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
      0,
      "nested more than 100 levels",
    ],
  ])("refuses %s", (...[, text, line, sentence]) => {
    const [at, message] = problemOf(text);
    expect([at, message]).toEqual([line, expect.stringContaining(sentence)]);
  });

  test("the work grows linearly from 2,000 keys to 16,000", () => {
    const cpuMicros = (keys: number): number => {
      const text = Array.from({ length: keys }, (_, n) => `key-${n}: value\n`).join("");
      const used = process.cpuUsage();
      expect("content" in readDocument(text)).toBe(true);
      return process.cpuUsage(used).user;
    };
    cpuMicros(2_000); // until it is compiled
    // Quadratic would be 64.
    expect(cpuMicros(16_000) / cpuMicros(2_000)).toBeLessThan(32);
  });

  test("what is written as YAML is read as it was", () => {
    const value = fc.jsonValue({ maxDepth: 5 }).filter((each) => !JSON.stringify(each).includes("e"));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), (content) => {
        const read = readDocument(stringify(content, { lineWidth: 0 }));
        expect("content" in read && JSON.parse(JSON.stringify(read.content))).toEqual(JSON.parse(JSON.stringify(content)));
      }),
    );
  });

  test("a field is found at its key; one that is absent at what it would be in", () => {
    const read = readDocument("spec:\n  containers:\n    - name: web\n      image: a\n    - name: side\n");
    if ("problem" in read) throw new Error("it was not read");
    expect(read.lineOf(["spec", "containers", "0", "image"])).toBe(4);
    expect(read.lineOf(["spec", "containers", "1", "image"])).toBe(5);
    expect(read.lineOf(["status"])).toBe(1);
  });
});

function bomb(): string {
  const names = "abcdefghij";
  const lines = names
    .split("")
    .slice(1)
    .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${names[index]}`).join(",")}]`);
  return ["a: &a [x]", ...lines].join("\n");
}
