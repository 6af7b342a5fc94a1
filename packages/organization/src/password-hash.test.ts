import { expect, test } from "vitest";

import { hashPassword, isPasswordHash, verifyPassword } from "./password-hash.ts";

test("a password is verified against its hash, and no other", async () => {
  const hash = await hashPassword("correct horse");
  expect(isPasswordHash(hash)).toBe(true);
  expect(hash).not.toContain("horse");
  expect(await verifyPassword("correct horse", hash)).toBe(true);
  expect(await verifyPassword("correct horse ", hash)).toBe(false);
  expect(await verifyPassword("", hash)).toBe(false);
});

test("two hashes of one password differ", async () => {
  expect(await hashPassword("x")).not.toBe(await hashPassword("x"));
});

test("a password may be typed in composed or decomposed characters", async () => {
  expect(await verifyPassword("cafe\u0301", await hashPassword("caf\u00e9"))).toBe(true);
});

test("no password is that of a user without a hash", async () => {
  expect(await verifyPassword("", undefined)).toBe(false);
  expect(await verifyPassword("x", "not a hash")).toBe(false);
});

test("a password of over 1,024 bytes is refused before it costs anything", async () => {
  const long = "x".repeat(1_025);
  expect(await verifyPassword(long, undefined)).toBe(false);
  await expect(hashPassword(long)).rejects.toThrow("1024 bytes");
});

const SALT = "A".repeat(22);
const KEY = "A".repeat(43);
test.each([
  ["a cost that is no power of two", `scrypt:65535:8:1:${SALT}:${KEY}`],
  ["no cost", `scrypt:1:8:1:${SALT}:${KEY}`],
  ["over 256 MiB", `scrypt:1048576:16:1:${SALT}:${KEY}`],
  ["too many rounds", `scrypt:65536:8:9:${SALT}:${KEY}`],
  ["a short key", `scrypt:65536:8:1:${SALT}:AAAA`],
  ["another function", `bcrypt:65536:8:1:${SALT}:${KEY}`],
])("a hash with %s is refused", (_, hash) => {
  expect(isPasswordHash(hash)).toBe(false);
});
