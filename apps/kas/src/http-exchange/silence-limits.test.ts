import { expect, test } from "vitest";

import { noAnswerMs } from "./silence-limits.ts";

const PODS = "/api/v1/namespaces/a/pods";

test.each([
  ["", 70_000],
  ["timeout=32s", 42_000],
  ["timeout=1m30s", 100_000],
  ["timeout=500ms", 10_500],
  ["timeoutSeconds=5", 15_000],
  ["timeoutSeconds=5&timeout=1h", 15_000],
  ["timeout=999999h", 3_610_000],
  ["timeout=0s", 70_000],
  ["timeout=-3s", 70_000],
  ["timeout=3", 70_000],
  ["timeout=%00", 70_000],
])("KS7, T14: the query %j lets the agent be silent for %i ms", (query, ms) => {
  expect(noAnswerMs({ path: PODS, query: new URLSearchParams(query), class: "safe" })).toBe(ms);
  expect(noAnswerMs({ path: PODS, query: new URLSearchParams(query), class: "mutation" })).toBe(ms);
});

test("KS7: a watch may be silent for ever, and an upgrade only once it was answered", () => {
  const query = new URLSearchParams("timeoutSeconds=5");
  expect(noAnswerMs({ path: PODS, query, class: "watch" })).toBeUndefined();
  expect(noAnswerMs({ path: PODS, query, class: "upgrade" })).toBe(15_000);
});

test.each([
  ["/api/v1/namespaces/a/services/b:80/proxy", undefined],
  ["/api/v1/namespaces/a/services/b/proxy/x/y", undefined],
  ["/api/v1/namespaces/a/pods/b/proxy/", undefined],
  ["/api/v1/nodes/n/proxy/metrics", undefined],
  ["/api/v1/namespaces/a/services/b", 70_000],
  ["/api/v1/namespaces/a/services/b/proxyx", 70_000],
  ["/api/v1/namespaces/a/configmaps/services/b/proxy", 70_000],
])("KS7: what answers at %s is given %s ms", (path, ms) => {
  expect(noAnswerMs({ path, query: new URLSearchParams(), class: "mutation" })).toBe(ms);
});
