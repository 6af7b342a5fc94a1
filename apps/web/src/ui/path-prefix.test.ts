import { afterEach, expect, test, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

async function under(prefix: string) {
  vi.resetModules();
  vi.stubEnv("BINNACLE_PATH_PREFIX", prefix);
  return import("./path-prefix.ts");
}

test.each(["", "/binnacle", "/a/b"])("under %j a route's address leads back to it", async (prefix) => {
  const { withPrefix, withoutPrefix } = await under(prefix);
  for (const route of ["/", "/sign-in", "/p/a/binnacle/environments", `${prefix}/x`]) {
    expect(withPrefix(route)).toBe(`${prefix}${route}`);
    expect(withoutPrefix(withPrefix(route))).toBe(route);
  }
});

test("the prefix alone is the first page, and so is what lies outside", async () => {
  const { withoutPrefix } = await under("/binnacle");
  expect([withoutPrefix("/binnacle"), withoutPrefix("/binnacle-two/x"), withoutPrefix("/")]).toEqual(["/", "/", "/"]);
});
