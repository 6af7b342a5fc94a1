import fc from "fast-check";
import { expect, test } from "vitest";

import { ServiceRefusal } from "./service-refusal.ts";
import { serviceTargetOf } from "./service-target.ts";

const ENTRY = { name: "prometheus", pathPrefix: "/api/v1/", methods: ["GET"] };
const target = (urlPath: string, entry = ENTRY, method = "GET") =>
  serviceTargetOf(entry, {
    method,
    urlPath,
    query: { query: { $typeName: "gitlab.agent.prototool.Values", value: ["up"] } },
    rawTarget: "",
  });

test("what is below the prefix passes, with its query", () => {
  expect(target("/api/v1/query")).toBe("/api/v1/query?query=up");
  expect(target("/api/v1/")).toBe("/api/v1/?query=up");
  expect(target("/api/v1/label/ä b/values")).toBe("/api/v1/label/%C3%A4%20b/values?query=up");
  expect(target("/anything", { ...ENTRY, pathPrefix: "/" })).toBe("/anything?query=up");
});

test("the query is sent as the client encoded it, the path encoded anew", () => {
  const value = (text: string) => ({ $typeName: "gitlab.agent.prototool.Values" as const, value: [text] });
  const query = { b: value("x y"), a: value("~") };
  const request = { method: "GET", urlPath: "/api/v1/query", query };
  expect(serviceTargetOf(ENTRY, { ...request, rawTarget: "/api/v1/qu%65ry?b=x%20y&a=%7e" })).toBe("/api/v1/query?b=x%20y&a=%7e");
  expect(() => serviceTargetOf(ENTRY, { ...request, rawTarget: "/api/v1/admin?b=x%20y&a=%7e" })).toThrow(ServiceRefusal);
});

test("a prefix without a slash at its end is a path, and what is below it", () => {
  const entry = { ...ENTRY, pathPrefix: "/api/v1/query" };
  expect(target("/api/v1/query", entry)).toContain("/api/v1/query?");
  expect(target("/api/v1/query/x", entry)).toContain("/api/v1/query/x?");
  expect(() => target("/api/v1/query_range", entry)).toThrow(/only paths below \/api\/v1\/query$/);
});

test.each([
  ["/api/v1", "accepts only paths below /api/v1/"],
  ["/api/v2/query", "accepts only paths below /api/v1/"],
  ["/API/v1/query", "accepts only paths below /api/v1/"],
  ["/", "accepts only paths below /api/v1/"],
  ["/api/v1/../admin", "dot segment"],
  ["/api/v1/..;/admin", "dot segments"],
  ["/api/v1/.;a=b/admin", "dot segments"],
  ["/api/v1//admin", "empty segment"],
  ["/api/v1/..%2fadmin", "encoded twice"],
  ["/api/v1/%2e%2e/admin", "encoded twice"],
  ["/api/v1/%252e%252e/admin", "encoded twice"],
  ["/api/v1/..%5cadmin", "encoded twice"],
  ["/api/v1/a\\b", "backslash"],
  ["/api/v1/a\r\nx", "control"],
  ["//169.254.169.254/api/v1/", "two slashes"],
  ["http://169.254.169.254/", "must begin with a slash"],
])("T36: the path %j is refused", (path, why) => {
  expect(() => target(path)).toThrow(why);
});

test("T36: whatever the path, it stays below the prefix for a server that decodes it again", () => {
  const nasty = fc.constantFrom("/", "..", ".", ";", "%2e", "%2F", "%25", "\\", "?", "#", "\0", "é", "@", "admin", "api", "v1");
  fc.assert(
    fc.property(
      fc.array(nasty, { maxLength: 10 }).map((parts) => `/api/v1/${parts.join("")}`),
      (path) => {
        let sent = "";
        try {
          sent = target(path);
        } catch (error) {
          if (error instanceof ServiceRefusal) return;
          throw error;
        }
        for (let url = new URL(sent, "http://service.test"), left = 3; left > 0; left -= 1) {
          expect(url.pathname).toMatch(/^\/api\/v1\//);
          expect(url.host).toBe("service.test");
          const decoded = decodeURIComponent(url.pathname).replaceAll(/;[^/]*/g, "");
          url = new URL(decoded.replaceAll("?", "%3F").replaceAll("#", "%23"), "http://service.test");
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a method that the entry does not name is refused", () => {
  expect(() => target("/api/v1/query", ENTRY, "POST")).toThrow("accepts GET, not POST");
});
