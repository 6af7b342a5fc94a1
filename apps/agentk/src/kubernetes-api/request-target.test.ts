import { valuesOfMetadata } from "@binnacle/grpc-wire";
import { Fault } from "@binnacle/rpc";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { requestTargetOf } from "./request-target.ts";

describe("requestTargetOf", () => {
  test("T3: whatever the path, the request stays on the API server and on one line", () => {
    const nasty = fc.constantFrom("/", "//", "..", ".", "\\", "@", ":", "?", "#", "%", "\r\n", "\0", " ", "é", "http://evil", "a");
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(nasty, { maxLength: 8 }).map((parts) => `/${parts.join("")}`),
        ),
        (path) => {
          const target = targetOrRefusal(path);
          if (target === undefined) return;
          expect(target).toMatch(/^\/(?:[!-~][ -~]*)?$/);
          expect(target).not.toMatch(/[\s\\#?]/);
          const url = new URL(target, "https://api.test:6443");
          expect(url.origin).toBe("https://api.test:6443");
          expect(decodeURIComponent(url.pathname)).toBe(path);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("the query survives, keys sorted, values in their order", () => {
    const values = fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(fc.string({ minLength: 1 }), values), { selector: ([key]) => key, maxLength: 5 }), (entries) => {
        const target = requestTargetOf("/x", valuesOfMetadata(new Map(entries)));
        const read = new URL(target, "https://api.test").searchParams;
        const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([key, list]) => list.map((value) => [key, value]));
        expect([...read]).toEqual(sorted.filter(([key]) => key !== "__proto__"));
      }),
    );
  });
});

/** undefined when the path is refused with a fault; any other error rises. */
function targetOrRefusal(path: string): string | undefined {
  try {
    return requestTargetOf(path, {});
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
