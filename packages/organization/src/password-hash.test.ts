import { expect, test } from "vitest";

import { hashPassword, isPasswordHash, passwordMark, verifyPassword } from "./password-hash.ts";

test("a password is verified against its hash, and no other", async () => {
  const hash = await hashPassword("correct horse");
  expect(isPasswordHash(hash)).toBe(true);
  expect(hash).not.toContain("horse");
  expect(await verifyPassword("correct horse", hash)).toBe(true);
  expect(await verifyPassword("correct horse ", hash)).toBe(false);
});

test("two hashes of one password differ, and so do their marks", async () => {
  const [one, other] = [await hashPassword("x"), await hashPassword("x")];
  expect(one).not.toBe(other);
  expect(passwordMark(one)).not.toBe(passwordMark(other));
});

test("a password may be typed in composed or decomposed characters", async () => {
  expect(await verifyPassword("cafe\u0301", await hashPassword("caf\u00e9"))).toBe(true);
});

test("T78: no password is that of a user without a hash", async () => {
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
  ["another cost, whose time would name its user", `scrypt:32768:8:2:${SALT}:${KEY}`],
  ["a short key", `scrypt:65536:8:2:${SALT}:AAAA`],
  ["a short salt", `scrypt:65536:8:2:AAAA:${KEY}`],
  ["another function", `bcrypt:65536:8:2:${SALT}:${KEY}`],
])("T78: a hash with %s is refused", (_, hash) => {
  expect(isPasswordHash(hash)).toBe(false);
});
