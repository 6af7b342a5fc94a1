import { expect, test } from "vitest";

import { nextState, type StateTable } from "./state-table.ts";

const DOOR: StateTable<"open" | "closed" | "locked", "close" | "open" | "lock"> = {
  open: { close: "closed" },
  closed: { open: "open", lock: "locked" },
  locked: {},
};

test("an event leads to the state that the table gives", () => {
  expect(nextState(DOOR, nextState(DOOR, "open", "close"), "lock")).toBe("locked");
});

test("an event that cannot happen in a state is an error that names both", () => {
  expect(() => nextState(DOOR, "locked", "open")).toThrow('"open" cannot happen in the state "locked"');
});
