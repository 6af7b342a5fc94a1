import fc from "fast-check";
import { expect, test } from "vitest";
import { findInText } from "./find-in-text.ts";

test("finds whatever the case, and takes what is typed as it stands", () => {
  expect(findInText("image: Web:1.0\nimage: web", "WEB").spans).toEqual([
    { from: 7, to: 10 },
    { from: 22, to: 25 },
  ]);
  expect(findInText("İ web:1.0 webx1", "web:1.").spans).toEqual([{ from: 2, to: 8 }]);
  expect(findInText("a[0] /b", "[0] /b").spans).toEqual([{ from: 1, to: 7 }]);
  expect(findInText("anything", "")).toEqual({ spans: [], isCut: false });
});

test("a thousand are enough, and it says so", () => {
  expect(findInText("a".repeat(1_000), "a")).toMatchObject({ isCut: false });
  const { spans, isCut } = findInText("a".repeat(1_001), "a");
  expect([spans.length, isCut]).toEqual([1_000, true]);
});

test("whatever is typed breaks nothing, and what is in the text is found", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), fc.string({ minLength: 1, maxLength: 5 }), (text, query) => {
      for (const { from, to } of findInText(text + query, query).spans) expect(to).toBeGreaterThan(from);
      expect(findInText(text + query, query).spans.length).toBeGreaterThan(0);
    }),
  );
});
