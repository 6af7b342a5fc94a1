import { expect, test } from "vitest";
import { shortenEnd } from "./shorten-end.ts";

test("a sentence that fits stays as it is", () => {
  expect(shortenEnd("no such image", 13)).toBe("no such image");
});

test("a long sentence ends between words, and never grows", () => {
  expect(shortenEnd("0/12 nodes are available: 3 had taints", 30)).toBe("0/12 nodes are available: 3…");
});

test("a word without an end is cut", () => {
  expect(shortenEnd("a".repeat(40), 10)).toBe(`${"a".repeat(9)}…`);
});
