import { expect, test } from "vitest";

import { drawnName } from "./drawn-name.ts";

test("a name of Kubernetes is drawn as it is", () => {
  expect(drawnName("web-7d9c5b8f6-x2x4z")).toBe("web-7d9c5b8f6-x2x4z");
  expect(drawnName("system:controller:bootstrap-signer")).toBe("system:controller:bootstrap-signer");
});

test("XM14: a drawn name is bounded, and turns nothing round", () => {
  expect(drawnName("x".repeat(200_000))).toHaveLength(253);
  expect(drawnName("a\u202Egnp.exe\u2066\u0000\n")).toBe("a\uFFFDgnp.exe\uFFFD\uFFFD\uFFFD");
  expect(drawnName("😀".repeat(200)).isWellFormed()).toBe(true);
});
