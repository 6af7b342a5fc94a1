import { expect, test } from "vitest";

import { callClassOf } from "../agent-call/call-context.ts";
import { contextOf } from "../agent-call/testing/call-context.ts";
import { boundWatch } from "./request-header.ts";

/** `timeoutSeconds` of the request to the agent. */
function timeoutOf(
  query: string,
  agent: { readonly agentIsOurs?: boolean } = { agentIsOurs: false },
  path = "/api/v1/pods",
): string | null {
  const params = new URLSearchParams(query);
  const context = contextOf({ class: callClassOf("GET", params, path) });
  return boundWatch({ method: "GET", path, query: params, header: {}, context }, agent).query.get("timeoutSeconds");
}

test.each([
  ["watch=true", "120"],
  ["watch=1&timeoutSeconds=30", "30"],
  ["watch&timeoutSeconds=600", "120"],
  ["watch=true&timeoutSeconds=0", "120"],
  ["watch=true&timeoutSeconds=x", "120"],
  ["watch=true&timeoutSeconds=7&timeoutSeconds=900", "7"],
])("KS8, I4: towards an agent that is not ours the watch %s lasts %s s", (query, seconds) => {
  expect(timeoutOf(query)).toBe(seconds);
});

test("KS8: an agent that does not say whose it is counts as not ours", () => {
  expect(timeoutOf("watch=true", {})).toBe("120");
});

test("KS8: our own agents get the client's time", () => {
  expect(timeoutOf("watch=true", { agentIsOurs: true })).toBeNull();
  expect(timeoutOf("watch=true&timeoutSeconds=600", { agentIsOurs: true })).toBe("600");
});

test("KS8: only watches are bound, also those of the old paths", () => {
  expect(timeoutOf("")).toBeNull();
  expect(timeoutOf("watch=false")).toBeNull();
  expect(timeoutOf("follow=true", undefined, "/api/v1/namespaces/a/pods/b/log")).toBeNull();
  expect(timeoutOf("", undefined, "/api/v1/watch/namespaces/a/pods")).toBe("120");
  expect(timeoutOf("", undefined, "/apis/apps/v1/watch/deployments")).toBe("120");
});

test("a watch that was bounded is sent in its decoded form, which has the bound", () => {
  const query = new URLSearchParams("watch=true");
  const request = {
    method: "GET",
    path: "/api/v1/pods",
    query,
    rawTarget: "/api/v1/pods?watch=true",
    header: {},
    context: contextOf({ class: "watch" }),
  };
  expect(boundWatch(request, { agentIsOurs: false }).rawTarget).toBeUndefined();
  expect(boundWatch(request, { agentIsOurs: true }).rawTarget).toBe("/api/v1/pods?watch=true");
});
