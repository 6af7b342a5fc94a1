import { expect, test } from "vitest";
import { withQuery } from "./environment-document.tsx";

test("an address keeps its query, encoded anew, also of names that stand there twice", () => {
  expect(withQuery("/p/a", {})).toBe("/p/a");
  expect(withQuery("/p/a", { view: "list", kinds: ["Pod", "Job"], gone: undefined, q: "a&b=c" })).toBe(
    "/p/a?view=list&kinds=Pod&kinds=Job&q=a%26b%3Dc",
  );
});
