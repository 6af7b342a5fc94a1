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

  const decoded = (raw: string): [string, ReturnType<typeof valuesOfMetadata>] => {
    const [path = "", ...query] = raw.split("?");
    const parameters = new URLSearchParams(query.join("?"));
    return [
      decodeURIComponent(path),
      valuesOfMetadata(new Map([...new Set(parameters.keys())].map((key) => [key, parameters.getAll(key)]))),
    ];
  };
  const piece = fc.constantFrom(
    "a",
    "%61",
    "%2F",
    "%2f",
    "+",
    "%20",
    "~",
    "%7E",
    ",",
    ":",
    "@",
    "=",
    "&",
    ";",
    '"',
    "%25",
    "%C3%A9",
    "%ff",
  );

  test("a raw target that decodes to the path and the query is sent byte for byte", () => {
    const path = fc.array(
      piece.filter((each) => each !== "%ff"),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(path, fc.option(fc.array(piece, { maxLength: 12 }), { nil: undefined }), (segments, query) => {
        const raw = `/x${segments.join("")}${query === undefined ? "" : `?${query.join("")}`}`;
        expect(requestTargetOf(...decoded(raw), raw)).toBe(raw);
      }),
    );
  });

  test.each([
    ["another path", "/api/v1/pods", "", "/api/v1/secrets"],
    ["another path behind an encoding", "/api/v1/pods", "", "/api/v1/%73ecrets"],
    ["a dot segment", "/api/v1/pods", "", "/api/v1/x/../pods"],
    ["another host", "/api/v1/pods", "", "//api/v1/pods"],
    ["an absolute URL", "/api/v1/pods", "", "http://evil/api/v1/pods"],
    ["a second line", "/api/v1/pods", "", "/api/v1/pods HTTP/1.1\r\nX: y"],
    ["a backslash", "/a\\b", "", "/a\\b"],
    ["a fragment", "/a#b", "", "/a#b"],
    ["a broken encoding", "/a%", "", "/a%"],
    ["a parameter more", "/x", "a=1", "/x?a=1&watch=true"],
    ["a parameter less", "/x", "a=1", "/x"],
    ["another value", "/x", "a=1", "/x?a=2"],
    ["a value more", "/x", "a=1", "/x?a=1&a=2"],
    ["values in another order", "/x", "a=1&a=2", "/x?a=2&a=1"],
  ])("T3: a raw target with %s is refused", (...[, path, query, raw]) => {
    expect(() => requestTargetOf(path, decoded(`/?${query}`)[1], raw)).toThrow("another path or query");
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
