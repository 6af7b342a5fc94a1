import { expect, test } from "vitest";

import { debugImageOf, featuresSchema, hasTerminal, levelOf } from "./features.ts";

test.each<readonly [object, string, string]>([
  [{}, "production", "safe"],
  [{ tiers: { production: { actions: "off" } } }, "production", "off"],
  [{ tiers: { production: { actions: "off" } } }, "staging", "safe"],
  [{ tiers: { production: { actions: "off" } } }, "", "off"],
  [{ tiers: { production: { actions: "off" } } }, "PRODUCTION", "off"],
  [{ tiers: { production: { actions: "off" } } }, "made-up", "off"],
  [{ actions: "off", tiers: { staging: { actions: "safe" } } }, "staging", "off"],
])("with %j environments of tier %j have level %s", (features, tier, level) => {
  expect(levelOf(featuresSchema.parse(features), tier)).toBe(level);
});

test.each<readonly [object, string, boolean]>([
  [{}, "staging", false],
  [{ terminal: true }, "production", true],
  [{ terminal: true, tiers: { production: { terminal: false } } }, "staging", true],
  [{ terminal: true, tiers: { production: { terminal: false } } }, "production", false],
  [{ terminal: true, tiers: { production: { terminal: false } } }, "made-up", false],
  [{ terminal: true, tiers: { production: { terminal: false } } }, "", false],
  [{ tiers: { staging: { terminal: true } } }, "staging", false],
])("with %j environments of tier %j have terminals: %s", (features, tier, has) => {
  expect(hasTerminal(featuresSchema.parse(features), tier)).toBe(has);
});

test("a terminal lasts 12 h, and 1 h without use, unless the operator says otherwise", () => {
  const hour = 3_600_000;
  expect(featuresSchema.parse({}).terminal_session).toEqual({ idle_timeout: hour, max_duration: 12 * hour });
  expect(featuresSchema.safeParse({ terminal_session: { idle_timeout: "10s" } }).success).toBe(false);
  expect(featuresSchema.safeParse({ terminal_session: { max_duration: "48h" } }).success).toBe(false);
});

test.each<readonly [object, string, string | undefined]>([
  [{ terminal: true, actions: "all", terminal_debug_image: "busybox:1" }, "production", "busybox:1"],
  [{ terminal: true, actions: "all" }, "production", undefined],
  [{ terminal: true, actions: "safe", terminal_debug_image: "busybox:1" }, "staging", undefined],
  [{ actions: "all", terminal_debug_image: "busybox:1" }, "staging", undefined],
  [{ terminal: true, actions: "all", terminal_debug_image: "b", tiers: { production: { actions: "safe" } } }, "made-up", undefined],
  [{ terminal: true, actions: "all", terminal_debug_image: "b", tiers: { production: { terminal: false } } }, "production", undefined],
])("with %j environments of tier %j have debug containers of image %s", (features, tier, image) => {
  expect(debugImageOf(featuresSchema.parse(features), tier)).toBe(image);
});
