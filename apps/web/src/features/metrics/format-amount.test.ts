import { expect, test } from "vitest";
import { formatBytes, formatNumber } from "./format-amount.ts";

test.each([
  [0, "0"],
  [0.0004, "<0.001"],
  [0.12345, "0.123"],
  [0.9999, "1"],
  [1.005, "1"],
  [41.72, "41.7"],
  [999.6, "1000"],
  [1_234_567, "1234567"],
])("%d is %s", (amount, text) => {
  expect(formatNumber(amount)).toBe(text);
});

test.each([
  [0, "0 B"],
  [1_023.4, "1023 B"],
  [1_023.9, "1 KiB"],
  [64 * 2 ** 20, "64 MiB"],
  [1.5 * 2 ** 30, "1.5 GiB"],
  [3 * 2 ** 80, "3145728 EiB"],
])("%d bytes are %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
