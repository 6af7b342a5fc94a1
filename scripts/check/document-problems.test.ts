import { join } from "node:path";

import { expect, test } from "vitest";

import { documentProblems } from "./document-problems.ts";

test("the documents of this repository promise nothing that is not so: citations, paths, threats and their tests", () => {
  expect(documentProblems(join(import.meta.dirname, "..", ".."))).toEqual({ problems: [], open: [] });
});
