import { describe, expect, test } from "vitest";

import { parseCookies } from "./main-application/credential.ts";
import { parseConfigurationProblem } from "./kas/kas-access.ts";
import { isSameOrigin } from "./http/edge-rules.ts";

describe("isSameOrigin", () => {
  const own = "http://app.localhost:3000";

  test("takes our own pages and programs without a browser", () => {
    expect(isSameOrigin(new Headers({ origin: own, "sec-fetch-site": "same-origin" }), own)).toBe(true);
    expect(isSameOrigin(new Headers(), own)).toBe(true);
  });

  test.each([
    { origin: "http://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "cross-site" },
    { origin: "http://app.localhost:3001" },
  ])("refuses %j", (headers) => {
    // One of the rows has one key, another the other.
    expect(isSameOrigin(new Headers(headers as Record<string, string>), own)).toBe(false);
  });
});

test("of two cookies with one name the first counts", () => {
  expect(parseCookies("a=1; _gitlab_session=x=y; a=2; junk").get("a")).toBe("1");
  expect(parseCookies("a=1; _gitlab_session=x=y").get("_gitlab_session")).toBe("x=y");
  expect(parseCookies(undefined).size).toBe(0);
});

test("the configuration error names the commit in force, if there is one", () => {
  expect(parseConfigurationProblem("line 3: unknown key; last-good=abc123")).toEqual({
    reason: "line 3: unknown key",
    lastGoodCommit: "abc123",
  });
  expect(parseConfigurationProblem("no such file; last-good=")).toEqual({ reason: "no such file", lastGoodCommit: "" });
  expect(parseConfigurationProblem("odd")).toEqual({ reason: "odd", lastGoodCommit: "" });
});
