import { createHash, randomBytes } from "node:crypto";

/** For error texts. */
export const TOKEN_HASH_SHAPE = '"sha256:" and 64 hexadecimal digits';
const TOKEN_HASH = /^sha256:[0-9a-f]{64}$/;
const TOKEN_BYTES = 32;

/** Whether a text is the hash of a token. */
export function isTokenHash(text: string): boolean {
  return TOKEN_HASH.test(text);
}

/** Hash of a random token. A digest without salt or cost is enough for 256 random bits. */
export function hashToken(token: string): string {
  return `sha256:${createHash("sha256").update(token).digest("hex")}`;
}

/** A token of 256 random bits, as text of 43 characters after the prefix. @param prefix names its use: "glagent-", "bnpat-" */
export function createToken(prefix: string): string {
  return `${prefix}${randomBytes(TOKEN_BYTES).toString("base64url")}`;
}
