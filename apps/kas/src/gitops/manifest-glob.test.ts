import { expect, test } from "vitest";

import { parseManifestGlob } from "./manifest-glob.ts";

test.each([
  ["*.yaml", "a.yaml", true],
  ["*.yaml", ".a.yaml", true],
  ["*.yaml", "d/a.yaml", false],
  ["*.yaml", "a.yml", false],
  ["a?.yaml", "ab.yaml", true],
  ["a?.yaml", "a.yaml", false],
  ["a?b", "a/b", false],
  ["d/*/a.yaml", "d/e/a.yaml", true],
  ["d/*/a.yaml", "d/e/f/a.yaml", false],
  ["**/*.yaml", "a.yaml", true],
  ["**/*.yaml", "d/e/a.yaml", true],
  ["d/**/a.yaml", "d/a.yaml", true],
  ["d/**/a.yaml", "d/e/f/a.yaml", true],
  ["d/**/a.yaml", "e/a.yaml", false],
  ["**/d/**/a.yaml", "x/d/y/d/z/a.yaml", true],
  ["d/**", "d/e/a.yaml", true],
  ["d/**", "d", false],
  ["**", "d/e/a.yaml", true],
  ["d**.yaml", "d/a.yaml", false],
  ["d**.yaml", "dir.yaml", true],
  ["**a.yaml", "d/a.yaml", false],
  ["**/*.{yaml,yml,json}", "d/a.yml", true],
  ["**/*.{yaml,yml,json}", "d/a.yam", false],
  ["{a,b{c,d*}}.yaml", "bdx.yaml", true],
  ["{a,b{c,d*}}.yaml", "b.yaml", false],
  ["{,x}a.yaml", "a.yaml", true],
  ["[a-c]x.yaml", "bx.yaml", true],
  ["[^a-c]x.yaml", "bx.yaml", false],
  ["[!a-c]x.yaml", "dx.yaml", true],
  ["[^a]x", "/x", false],
  ["[]a].yaml", "].yaml", true],
  ["[a-].yaml", "-.yaml", true],
  ["\\*.yaml", "*.yaml", true],
  ["\\*.yaml", "a.yaml", false],
  ["[\\]].yaml", "].yaml", true],
  ["a,b}.yaml", "a,b}.yaml", true],
  ["?.yaml", "🙂.yaml", true],
  ["[🙂-🙃].yaml", "🙂.yaml", true],
  ["A.yaml", "a.yaml", false],
  ["/d/a.yaml", "d/a.yaml", true],
])("%s on %s: %s", (glob, path, expected) => {
  expect(parseManifestGlob(glob).matches(path)).toBe(expected);
});

test.each([
  ["", ".", true],
  ["**/*.yaml", ".", true],
  ["*.yaml", ".", false],
  ["a.yaml", ".", false],
  ["/dir/sub/*.yaml", "dir/sub", false],
  ["dir/sub/a.yaml", "dir/sub", false],
  ["dir/a*/b.yaml", "dir", true],
  ["dir/[ab].yaml", "dir", true],
  ["dir/{a,b}.yaml", "dir", false],
  ["dir/su\\b/a.yaml", "dir", true],
  ["d*r/**", ".", true],
])("%s is looked for in %s, deeper: %s", (glob, treePath, recursive) => {
  expect(parseManifestGlob(glob)).toMatchObject({ treePath, recursive });
});

test.each([
  ["[a", "has no ]"],
  ["[", "has no ]"],
  ["{a", "has no }"],
  ["{a/b,c}", "has no }"],
  ["a\\", "nothing follows"],
  ["../a.yaml", "inside the repository"],
  ["a/../../b", "inside the repository"],
  ["./a.yaml", "inside the repository"],
  ["a//b", "inside the repository"],
  ["//a", "inside the repository"],
  ["a/", "inside the repository"],
  ["/", "inside the repository"],
  ["x".repeat(513), "longer than 512"],
])("%s is refused: it %s", (glob, why) => {
  expect(() => parseManifestGlob(glob)).toThrow(why);
});

test("a glob made to be slow takes no more steps than its length times the path's, and they are counted", () => {
  const slow = parseManifestGlob(`${"*a".repeat(200)}b`);
  expect(slow.matches("a".repeat(4_000))).toBe(false);
  expect(slow.steps).toBeGreaterThan(100_000);
  expect(slow.steps).toBeLessThanOrEqual(4_000 * 401 * 2);
  const nested = parseManifestGlob(`${"{".repeat(80)}*${",*a}".repeat(80)}**/x`);
  expect(nested.matches(`${"a".repeat(2_000)}/y`)).toBe(false);
  expect(nested.steps).toBeLessThanOrEqual(2_002 * 512 * 2);
});
