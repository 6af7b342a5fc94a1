import { expect, test } from "vitest";

import { environmentSlug } from "./environment-slug.ts";

test.each(["production", "review-foo", "a1"])("%s is a slug already", (name) => {
  expect(environmentSlug(name)).toBe(name);
});

test.each([
  ["review/foo", /^review-foo-[0-9a-z]{6}$/],
  ["Production", /^production-[0-9a-z]{6}$/],
  ["1-foo", /^env-1-foo-[0-9a-z]{6}$/],
  ["review/a..b//c", /^review-a-b-c-[0-9a-z]{6}$/],
  ["review/größe", /^review-gr-e-[0-9a-z]{6}$/],
  ["review/", /^review-[0-9a-z]{6}$/],
  [`review/${"x".repeat(255)}`, /^review-x{10}-[0-9a-z]{6}$/],
])("%s gets letters, digits and dashes, and a suffix of its own", (name, slug) => {
  expect(environmentSlug(name)).toMatch(slug);
  expect(environmentSlug(name).length).toBeLessThanOrEqual(24);
  expect(environmentSlug(name)).toBe(environmentSlug(name));
});

test("two names of one kind do not meet", () => {
  expect(environmentSlug("review/a.b")).not.toBe(environmentSlug("review/a-b"));
});
