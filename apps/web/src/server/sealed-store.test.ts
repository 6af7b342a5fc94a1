import { Secret } from "@binnacle/telemetry";
import { expect, test } from "vitest";

import { SealedStore } from "./sealed-store.ts";

function storeAt(time: { nowMs: number }): SealedStore {
  return new SealedStore({ key: new Uint8Array(32).fill(7), clock: { now: () => time.nowMs, after: () => () => {} }, ttlMs: 1_000 });
}

test("gives back what was put in, until it expires", () => {
  const time = { nowMs: 0 };
  const store = storeAt(time);
  store.put("a", new Secret("hello"));
  expect(store.get("a")?.reveal()).toBe("hello");
  time.nowMs = 1_000;
  expect(store.get("a")).toBeUndefined();
});

test("forgets what is deleted and what nobody put in", () => {
  const store = storeAt({ nowMs: 0 });
  store.put("a", new Secret("hello"));
  store.delete("a");
  expect(store.get("a")).toBeUndefined();
  expect(store.get("b")).toBeUndefined();
});

test("names secrets without telling them, the same way each time", () => {
  const store = storeAt({ nowMs: 0 });
  const name = store.nameOf(new Secret("session-cookie"));
  expect(name).not.toContain("session-cookie");
  expect(store.nameOf(new Secret("session-cookie"))).toBe(name);
  expect(store.nameOf(new Secret("another"))).not.toBe(name);
});
