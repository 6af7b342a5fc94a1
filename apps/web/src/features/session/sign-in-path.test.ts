import { expect, test } from "vitest";
import { safeReturnPath } from "./safe-return-path.ts";
import { signInPath } from "./sign-in-path.ts";

test("comes back with path and query", () => {
  const path = "/p/g/a/environments/x?view=list&q=a%26b";
  expect(safeReturnPath(new URL(signInPath(path), "http://x").searchParams.get("return_to"))).toBe(path);
});
