import { expect, test } from "vitest";
import { looksLikeJson, prettyJson } from "./json-line.ts";

test("a JSON object is written over several lines", () => {
  expect(prettyJson(' {"level":"info","at":{"n":1}}')).toBe('{\n  "level": "info",\n  "at": {\n    "n": 1\n  }\n}');
  expect(prettyJson("[1,2]")).toBe("[\n  1,\n  2\n]");
});

test.each(["plain", '{"level":', '"text"', "12", "{}", `{"a":"${"x".repeat(200_000)}"}`])("%.20s stays as it is", (text) => {
  expect(prettyJson(text)).toBeUndefined();
});

test("what may be opened is known without parsing", () => {
  expect(looksLikeJson('{"a":1}\n')).toBe(true);
  expect(looksLikeJson("[info] {a}")).toBe(false);
});
