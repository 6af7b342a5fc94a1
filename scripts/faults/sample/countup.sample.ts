import { expect, test } from "vitest";

import { countup } from "./countup.ts";

test("begins at one", () => {
  expect(countup(3)).toEqual([1, 2, 3]);
});
