import { describe, expect, test } from "vitest";

import { changeState, nextState, type StateTable } from "./state-table.ts";

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

describe("a state with data", () => {
  type Door = { readonly name: "open" } | { readonly name: "closed" | "locked"; readonly by: string };
  const open = (): Door => ({ name: "open" });

  test("becomes what the table gives", () => {
    const change = { event: "close", next: { name: "closed", by: "wind" } } as const;
    expect(changeState(DOOR, open(), change)).toEqual({ name: "closed", by: "wind" });
  });

  test("does not become another one", () => {
    const change = { event: "close", next: { name: "locked", by: "key" } } as const;
    expect(() => changeState(DOOR, open(), change)).toThrow('"close" leads from the state "open" to "closed", not to "locked"');
  });

  test("stays when the event cannot happen", () => {
    const change = { event: "lock", next: { name: "locked", by: "key" } } as const;
    expect(() => changeState(DOOR, open(), change)).toThrow('"lock" cannot happen in the state "open"');
  });
});
