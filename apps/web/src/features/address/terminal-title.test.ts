import { expect, test } from "vitest";
import { terminalTitle } from "./terminal-title.ts";
import { parseUrlState } from "./url-state.ts";

test("the title of a terminal that fills the page begins with its pod, any other with nothing", () => {
  const titleOf = (query: string) => terminalTitle(parseUrlState(new URLSearchParams(query)));
  expect(titleOf("sel=core/pods/shop/web-1&tab=terminal&full=app")).toBe("Terminal of web-1 · ");
  expect(titleOf("sel=core/pods/shop/web-1&tab=terminal")).toBe("");
});
