import { expect, test } from "vitest";
import { safeReturnPath, signInPath } from "./return-address.ts";

test.each(["//evil.example", "https://evil.example", "/\\evil.example", "", null])("never leads away: %s", (value) => {
  expect(safeReturnPath(value)).toBe("/");
});

test("comes back with path and query", () => {
  const path = "/p/g/a/environments/x?view=list&q=a%26b";
  expect(safeReturnPath(new URL(signInPath(path), "http://x").searchParams.get("return_to"))).toBe(path);
});
