import { describe, expect, test } from "vitest";

import { hasPlainPrefix, pathPrefixOf, routeBelow } from "./path-prefix.ts";

test.each([
  ["https://a.example", ""],
  ["https://a.example/", ""],
  ["https://a.example/binnacle", "/binnacle"],
  ["https://a.example/tools/binnacle/", "/tools/binnacle"],
])("the prefix of %s is %j", (url, prefix) => {
  expect(pathPrefixOf(url)).toBe(prefix);
});

describe("which URLs the dashboard may have", () => {
  test.each(["https://a.example", "http://localhost:3000/", "https://a.example/binnacle", "https://a.example/a/b-c_d.e~f/"])(
    "%s",
    (url) => {
      expect(hasPlainPrefix(url)).toBe(true);
    },
  );

  test.each([
    "https://a.example/?x=1",
    "https://a.example/#x",
    "https://a.example//b",
    "https://a.example/b//",
    "https://a.example/.well-known",
    "https://a.example/%22",
    "https://a.example/a;b",
    "https://a.example/$&",
    "https://someone@a.example/",
  ])("not %s", (url) => {
    expect(hasPlainPrefix(url)).toBe(false);
  });
});

describe("the route below a prefix", () => {
  test.each([
    ["/b", "/b", "/"],
    ["/b", "/b/", "/"],
    ["/b", "/b?x=1", "/?x=1"],
    ["/b", "/b/p/a?x=/b", "/p/a?x=/b"],
    ["/b", "/b/b/b", "/b/b"],
    ["/b/c", "/b/c/sign-in", "/sign-in"],
    ["", "/sign-in", "/sign-in"],
    ["", "*", "*"],
  ])("below %j, %s is %s", (prefix, target, route) => {
    expect(routeBelow(prefix, target)).toBe(route);
  });

  test.each([
    ["/b", "/"],
    ["/b", "/bb"],
    ["/b", "/bb/sign-in"],
    ["/b", "/a/b"],
    ["/b", "/B/sign-in"],
    ["/b", "/%62/sign-in"],
    ["/b", "//b/sign-in"],
    ["/b", "b"],
    ["/b/c", "/b"],
  ])("below %j, %s is nothing", (prefix, target) => {
    expect(routeBelow(prefix, target)).toBeUndefined();
  });
});
