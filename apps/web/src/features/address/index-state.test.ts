import { expect, test } from "vitest";
import { encodeIndexState, parseIndexState } from "./index-state.ts";

test("an address of issues reads back what it was made of", () => {
  const state = { view: "issues" as const, q: "a & b", health: ["degraded", "notice"], onlyNew: true, order: "newest" };
  expect(parseIndexState(new URLSearchParams(encodeIndexState(state)))).toEqual(state);
});

test("the environments have a bare address, and an unknown view is theirs", () => {
  expect(encodeIndexState(parseIndexState(new URLSearchParams("view=nonsense&q=x")))).toBe("");
  expect(encodeIndexState(parseIndexState(new URLSearchParams("view=issues&health=")))).toBe("?view=issues");
});
