import { randomBytes, timingSafeEqual } from "node:crypto";

const BYTES = 32;

/** A fresh secret for one session. */
export function createCsrfSecret(): Buffer {
  return randomBytes(BYTES);
}

/** A token for one page: the secret under a one-time pad, so that no two pages show the same text. */
export function createCsrfToken(secret: Buffer): string {
  const pad = randomBytes(BYTES);
  return Buffer.concat([pad, xor(pad, secret)]).toString("base64url");
}

/** Whether a token was made from this secret; every token of a session stays valid as long as the session. */
export function isCsrfToken(secret: Buffer, token: string): boolean {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== 2 * BYTES) return false;
  return timingSafeEqual(xor(bytes.subarray(0, BYTES), bytes.subarray(BYTES)), secret);
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, index) => byte ^ (b[index] ?? 0)));
}
