import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { safeReturnPath } from "./safe-return-path.ts";

const OWN = ["http://app.localhost:3000", "https://dashboard.example"];
/** What URL parsers stumble over, and enough letters for a host. */
const SIGNS = ["/", ".", "\\", "%", "\t", "\n", "\r", ":", "@", "?", "#", "e", "2", "f", "evil.example", "http:", "%2f", "%2e", "%5c", " "];

describe("XS8, T25: a sign-in leads only to this dashboard", () => {
  test.each([
    "/..//evil.example",
    "/.//evil.example",
    "/%2e//evil.example",
    "/p/../..//evil.example",
    "/p/..//..//evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\n/evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "//evil.example",
    "///evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "p/x",
    "",
    null,
  ])("XS8: %j leads to a path of our own", (requested) => {
    for (const own of OWN) expect(new URL(safeReturnPath(requested), own).origin).toBe(own);
  });

  test("XS8: no text at all leads to another origin, and asking twice changes nothing", () => {
    const text = fc.array(fc.oneof(fc.constantFrom(...SIGNS), fc.string({ maxLength: 3 })), { maxLength: 12 });
    fc.assert(
      fc.property(text, fc.boolean(), (parts, slash) => {
        const safe = safeReturnPath(`${slash ? "/" : ""}${parts.join("")}`);
        expect(safe).toMatch(/^\/(?![/\\])/);
        expect(safe).not.toMatch(/[\t\n\r]|^[^?#]*\\/);
        for (const own of OWN) expect(new URL(safe, own).origin).toBe(own);
        expect(safeReturnPath(safe)).toBe(safe);
      }),
      { numRuns: 5_000 },
    );
  });

  test("XS8: a path of our own is kept with its query and fragment", () => {
    const path = "/p/group/app/environments/x?view=list&q=a%26b#x";
    expect(safeReturnPath(path)).toBe(path);
  });
});
