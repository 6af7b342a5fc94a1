import { createHash, randomBytes } from "node:crypto";

/** For error texts. */
export const TOKEN_HASH_SHAPE = '"sha256:" and 64 hexadecimal digits';
const TOKEN_HASH = /^sha256:[0-9a-f]{64}$/;

/** Whether a text is the hash of a token. */
export function isTokenHash(text: string): boolean {
  return TOKEN_HASH.test(text);
}

/** Hash of a random token. A digest without salt or cost is enough for 256 random bits. */
export function hashToken(token: string): string {
  return `sha256:${createHash("sha256").update(token).digest("hex")}`;
}

/** A new random token of 256 bits, and its hash. */
export function newToken(): { readonly token: string; readonly hash: string } {
  const token = `binnacle-${randomBytes(32).toString("base64url")}`;
  return { token, hash: hashToken(token) };
}
