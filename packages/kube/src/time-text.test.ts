import { expect, test } from "vitest";

import { nanosText } from "./time-text.ts";

test("a time has nine digits, and a number beyond every calendar is a number", () => {
  expect(nanosText(1_000_000_001n)).toBe("1970-01-01T00:00:01.000000001Z");
  expect(nanosText(1_767_225_600_999_999_999n)).toBe("2026-01-01T00:00:00.999999999Z");
  expect(nanosText(10n ** 30n)).toBe(`1${"0".repeat(30)}`);
});
