import fc from "fast-check";
import { expect, test } from "vitest";

import { headersForClient } from "./response-headers.ts";

const PREFIX = "/-/k8s-proxy/";
const OWN = "https://kas.example";

const locationOf = (location: string, name = "Location", prefix = PREFIX): unknown =>
  headersForClient({ [name]: { value: [location] } }, prefix)["location"];

test("XS11, T2: a redirect of the API server stays inside the proxy", () => {
  expect(locationOf("/api/v1/pods?limit=1#x")).toBe("/-/k8s-proxy/api/v1/pods?limit=1#x");
  expect(locationOf("/", "LOCATION")).toBe("/-/k8s-proxy/");
  expect(locationOf("/api/../apis")).toBe("/-/k8s-proxy/apis");
  expect(locationOf("/api", "Location", "/")).toBe("/api");
  // Paths of the main application on the same host are not the cluster's to name.
  expect(locationOf("/api/v4/personal_access_tokens")).toBe("/-/k8s-proxy/api/v4/personal_access_tokens");
});

test.each([
  "/\\evil.example/",
  "/\t/evil.example/",
  "/\n/evil.example",
  "//evil.example",
  "/..//evil.example",
  "/.//evil.example",
  "/%2e%2e//evil.example",
  "/a//evil.example",
  "https://evil.example/",
  "http://cluster.invalid/api",
  "javascript:alert(1)",
  "api/v1",
  "?x",
  "",
  " /api",
])("XS11, T2, T11: the location %j is dropped", (location) => {
  expect(locationOf(location)).toBeUndefined();
});

test("XS11: whatever the cluster says, no browser leaves our path", () => {
  const text = fc.string({
    unit: fc.constantFrom("/", "\\", ".", "%2e", "%2f", "%5c", "\t", "\n", ":", "@", "evil.example", "api", "?", "#"),
  });
  fc.assert(
    fc.property(text, (location) => {
      const sent = locationOf(location);
      if (typeof sent !== "string") return;
      const url = new URL(sent, `${OWN}${PREFIX}api`);
      expect(url.origin).toBe(OWN);
      expect(url.pathname.startsWith(PREFIX)).toBe(true);
    }),
  );
});

test.each(["Content-Type", "content-type", "CONTENT-TYPE", "Content-type"])("M1, T11: active content in %s is an attachment", (name) => {
  expect(headersForClient({ [name]: { value: ["text/html"] } }, PREFIX)).toMatchObject({
    "content-type": "text/html",
    "content-disposition": "attachment",
  });
  expect(headersForClient({ [name]: { value: ["application/json", "image/svg+xml"] } }, PREFIX)["content-disposition"]).toBe("attachment");
  expect(headersForClient({ [name]: { value: ["application/json"] } }, PREFIX)).not.toHaveProperty("content-disposition");
});

test("M1, T11: two spellings of a type do not hide an active one", () => {
  const header = { "CONTENT-TYPE": { value: ["text/html"] }, "content-type": { value: ["application/json"] } };
  expect(headersForClient(header, PREFIX)["content-disposition"]).toBe("attachment");
});

test.each([
  "Set-Cookie",
  "Clear-Site-Data",
  "Refresh",
  "Link",
  "Service-Worker-Allowed",
  "Kas-Agent-Watch-Budget",
  "kas-refusal",
  "Kas-Attempts",
  "Gitlab-Unauthorized",
  "Content-Length",
  "Transfer-Encoding",
])("T7, T11: %s of a cluster does not pass", (name) => {
  expect(headersForClient({ [name]: { value: ["x"] } }, PREFIX)).not.toHaveProperty(name.toLowerCase());
});

test("a value that a Go agent has decoded leaves as the bytes it was", () => {
  const { warning } = headersForClient({ Warning: { value: ["299 - grün ☃"] } }, PREFIX);
  expect(Buffer.from(String(warning), "latin1").toString()).toBe("299 - grün ☃");
});
