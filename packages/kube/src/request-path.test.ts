import fc from "fast-check";
import { expect, test } from "vitest";

import { collectionPath, InvalidPathError, listPath, objectPath, watchPath } from "./request-path.ts";

const pods = { group: "", version: "v1", resource: "pods", namespaced: true };
const nodes = { group: "", version: "v1", resource: "nodes", namespaced: false };
const deployments = { group: "apps", version: "v1", resource: "deployments", namespaced: true };

test("core kinds live under /api, others under /apis", () => {
  expect(collectionPath(pods, "a")).toBe("/api/v1/namespaces/a/pods");
  expect(collectionPath(pods)).toBe("/api/v1/pods");
  expect(collectionPath(nodes, "ignored")).toBe("/api/v1/nodes");
  expect(objectPath(deployments, { namespace: "a", name: "web" }, "scale")).toBe("/apis/apps/v1/namespaces/a/deployments/web/scale");
});

test("a list carries page size and continue token, absent keys are left out", () => {
  expect(listPath(pods, { namespace: "a", limit: 500, continueToken: "x=/y" })).toBe(
    "/api/v1/namespaces/a/pods?limit=500&continue=x%3D%2Fy",
  );
  expect(listPath(pods)).toBe("/api/v1/pods");
});

test("a watch always requests bookmarks", () => {
  expect(watchPath(pods, { namespace: "a", resourceVersion: "7" })).toBe(
    "/api/v1/namespaces/a/pods?watch=1&allowWatchBookmarks=true&resourceVersion=7",
  );
});

test.each([
  { ...pods, version: "v1/namespaces/production/secrets/x?" },
  { ...pods, version: "v1%2Fx" },
  { ...deployments, group: "apps/v1/namespaces/b" },
  { ...deployments, group: "a..b" },
  { ...pods, resource: "pods/x" },
  { ...pods, resource: ".." },
  { ...pods, resource: "" },
  { ...pods, version: "" },
  { ...pods, resource: "Pods" },
])("XM2, T25: a kind that is no name has no path: %j", (kind) => {
  expect(() => collectionPath(kind, "a")).toThrow(InvalidPathError);
  expect(() => objectPath(kind, { namespace: "a", name: "b" })).toThrow(InvalidPathError);
});

test.each(["..", ".", "../nodes/x", "a/b", "a%2Fb", "%2e%2e", "\uD800", ""])(
  "XM2, T25: a name that the API server rejects has no path: %j",
  (name) => {
    expect(() => objectPath(pods, { namespace: "a", name })).toThrow(InvalidPathError);
  },
);

test.each(["..", ".", "a/b", "a?b", "a#b", "a b", "a\\b", "a\nb", "ü", "\u202Eb", "a;b=c", "A", "x".repeat(64)])(
  "XM2, T25: a namespace that is no label has no path: %j",
  (namespace) => {
    expect(() => objectPath(pods, { namespace, name: "web" })).toThrow(InvalidPathError);
  },
);

test("XM2: the names that Kubernetes has all have a path", () => {
  const roles = { group: "rbac.authorization.k8s.io", version: "v1beta1", resource: "clusterroles", namespaced: false };
  expect(objectPath(roles, { name: "system:controller:node_x-1.2" })).toBe(
    "/apis/rbac.authorization.k8s.io/v1beta1/clusterroles/system:controller:node_x-1.2",
  );
  expect(objectPath(pods, { namespace: "kube-system", name: "a.17f0c3" })).toBe("/api/v1/namespaces/kube-system/pods/a.17f0c3");
  expect(objectPath(roles, { name: "__proto__" })).toMatch(/__proto__$/);
});

const ROLES = { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterroles", namespaced: false };
const ROOT = "/apis/rbac.authorization.k8s.io/v1/clusterroles/";
const PLAIN = "abzAZ09._:@~!$&'()*+,=-".split("");

test("XM2: a name without special characters is in the path as it is", () => {
  const name = fc.string({ unit: fc.constantFrom(...PLAIN), minLength: 1, maxLength: 253 }).filter(isNameOfRole);
  fc.assert(
    fc.property(name, (text) => {
      expect(objectPath(ROLES, { name: text })).toBe(ROOT + text);
    }),
  );
});

const special = fc.string({ unit: fc.constantFrom(...PLAIN, ..."/%?#; \\\n\0\x7fü\u202e\ud800".split("")), maxLength: 8 });
const names = fc.oneof(special, fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }));

test("XM2, T25: a name that the API server rejects has no path", () => {
  const rejected = names.filter((text) => !isNameOfRole(text));
  fc.assert(
    fc.property(rejected, (text) => {
      expect(() => objectPath(ROLES, { name: text })).toThrow(InvalidPathError);
    }),
  );
});

test("XM2, T25: a name that the API server accepts is the last segment of its path however that is parsed", () => {
  fc.assert(
    fc.property(names.filter(isNameOfRole), (text) => {
      const path = objectPath(ROLES, { name: text });
      expect(path).toMatch(/^[!-~]+$/);
      expect(decodeURIComponent(path)).toBe(ROOT + text);
      // A proxy may decode a path and encode it again.
      expect(decodeURIComponent(encodeURI(decodeURIComponent(path)))).toBe(ROOT + text);
      const parsed = new URL(path, "http://api");
      expect([parsed.pathname, parsed.search, parsed.hash]).toEqual([path, "", ""]);
    }),
  );
});

/** `path.IsValidPathSegmentName` of apimachinery; its texts are UTF-8, so that they have no lone surrogates. */
function isNameOfRole(text: string): boolean {
  return text !== "" && ![".", ".."].includes(text) && !["/", "%"].some((one) => text.includes(one)) && text.isWellFormed();
}
