import { expect, test } from "vitest";

import { allowedTrailers, fieldsOfLines, isTrailerName } from "./trailers.ts";

test.each(["X-Checksum", "grpc-status", "Server-Timing", "expires-soon"])("%s may be a trailer", (name) => {
  expect(isTrailerName(name)).toBe(true);
});

test.each([
  "Authorization",
  "Content-Length",
  "Transfer-Encoding",
  "Trailer",
  "Host",
  "Set-Cookie",
  "Impersonate-User",
  "impersonate_user",
  "X-Remote-Group",
  "Gitlab-Agent-Id",
  "Access-Control-Allow-Origin",
  "If-Match",
  "Location",
  "",
  "a b",
])('"%s" may not', (name) => {
  expect(isTrailerName(name)).toBe(false);
});

test("what may not be passed on, and values that would end a line, are left out; all values of a name stay", () => {
  const fields = fieldsOfLines(["X-One", "1", "x-one", "2", "Set-Cookie", "a=b", "X-Bad", "a\r\nb"]);
  expect(allowedTrailers(fields)).toEqual({ "x-one": { value: ["1", "2"] } });
  expect(allowedTrailers([["Host", ["a"]]])).toBeUndefined();
});

test("more than 32 fields or 8 KiB are dropped as a whole", () => {
  const many = (count: number): [string, string[]][] => Array.from({ length: count }, (_, n) => [`x-${n}`, ["1"]]);
  expect(Object.keys(allowedTrailers(many(32)) ?? {})).toHaveLength(32);
  expect(allowedTrailers(many(33))).toBeUndefined();
  expect(allowedTrailers([["x-large", ["a".repeat(8 * 1024)]]])).toBeUndefined();
});
