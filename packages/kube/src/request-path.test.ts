import { expect, test } from "vitest";

import { collectionPath, listPath, objectPath, watchPath } from "./request-path.ts";

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

test("a watch always asks for bookmarks", () => {
  expect(watchPath(pods, { namespace: "a", resourceVersion: "7" })).toBe(
    "/api/v1/namespaces/a/pods?watch=1&allowWatchBookmarks=true&resourceVersion=7",
  );
});

test("a hostile name cannot leave its place in the path", () => {
  expect(objectPath(pods, { namespace: "..", name: "../nodes/x" })).toBe("/api/v1/namespaces/%2E%2E/pods/..%2Fnodes%2Fx");
});
