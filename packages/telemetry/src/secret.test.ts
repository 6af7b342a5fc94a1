import { inspect } from "node:util";

import { expect, test } from "vitest";

import { Secret } from "./index.ts";

test("a secret is shown only by reveal", () => {
  const secret = new Secret("hunter2");
  expect([`${secret}`, JSON.stringify({ secret }), inspect({ secret })].join()).not.toContain("hunter2");
  expect(secret.reveal()).toBe("hunter2");
});
