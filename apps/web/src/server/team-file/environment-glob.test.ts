import fc from "fast-check";
import { expect, test } from "vitest";

import { compileGlob } from "./team-file.ts";

test.each([
  ["production", "production", true],
  ["production", "production2", false],
  ["review/*", "review/a/b", true],
  ["review/*", "review/", true],
  ["review/*", "review", false],
  ["*-eu", "shop-eu", true],
  ["*", "", true],
  ["a*a", "a", false],
  ["a*b*c", "a-b-b-c", true],
  ["*aab*", "aaab", true],
  ["a*ab", "ab", false],
  ["r.view/*", "review/x", false],
])("%s on %s is %s", (pattern, name, matches) => {
  expect(compileGlob(pattern).matches(name)).toBe(matches);
});

test("it says what a regular expression says", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 8 });
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 6 });
  fc.assert(
    fc.property(pattern, text, (glob, name) => {
      expect(compileGlob(glob).matches(name)).toBe(new RegExp(`^${glob.replaceAll("*", ".*")}$`).test(name));
    }),
  );
});

test("the work grows with pattern and name together, not with their product", () => {
  const stepsOf = (length: number): number => {
    let steps = 0;
    const name = "a".repeat(length);
    // It counts reads of characters; every other property is the string's own.
    const counted = new Proxy(Object(name) as object, {
      get: (target, key) => {
        if (typeof key === "string" && /^\d+$/.test(key)) steps += 1;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(name) : value;
      },
    }) as unknown as string;
    expect(compileGlob(`*${"a".repeat(length / 4)}b*${"a".repeat(length / 4)}b*`).matches(counted)).toBe(false);
    return steps;
  };
  expect(stepsOf(4_000)).toBeLessThan(4 * 4_000);
});
