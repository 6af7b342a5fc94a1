import { expect, test } from "vitest";

import { featuresSchema, levelOf } from "./features.ts";

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
