import { expect, test } from "vitest";

import { parseTarget } from "./proxy-target.ts";

const rawOf = (rest: string): string | undefined => parseTarget(`/k8s-proxy/${rest}`, "/k8s-proxy/").raw;

test("a path that agents encode as the client did is not sent twice", () => {
  expect(rawOf("api/v1/namespaces/default/pods/web-1")).toBeUndefined();
  expect(rawOf("api/v1/names%20with%20space")).toBeUndefined();
});

test.each(["api/v1/a%2Fb", "api/v1/%61", "api/v1/a%2fb", "api/v1/pods?", "api/v1/pods?z=1&a=x%20y&z=~,%7E", "x?a=%ff&&b"])(
  "%s is sent as the client encoded it",
  (rest) => expect(rawOf(rest)).toBe(`/${rest}`),
);

test.each([
  ["x?gitlab-agent-id=5&a=%7E", "/x?a=%7E"],
  ["x?a=%7E&b&gitlab-csrf-token=secret", "/x?a=%7E&b"],
  ["x?private_token=secret&a=%7E&Private-Token=secret", "/x?a=%7E"],
  ["x?%70rivate-token=secret", "/x"],
  ["x?job_token=secret&job_token=secret", "/x"],
])("T7: without our keys and credentials %s is %s", (rest, raw) => expect(rawOf(rest)).toBe(raw));
