import { createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** For error texts. */
export const PASSWORD_HASH_SHAPE = 'the hash of a password, "scrypt:65536:8:2:…", as `npm run organization -- hash` prints it';

/** 64 MiB and about 0.3 s (OWASP Password Storage Cheat Sheet, scrypt). One cost for all, so that the time of a check is that of no user. */
const COST = { N: 65_536, r: 8, p: 2 };
const BLOCK_BYTES = 128;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const MAX_PASSWORD_BYTES = 1_024;
const HASH = /^scrypt:65536:8:2:([\w-]{22}):([\w-]{43})$/;

interface ParsedHash {
  readonly salt: Buffer;
  readonly key: Buffer;
}

const UNKNOWN_USER: ParsedHash = { salt: randomBytes(SALT_BYTES), key: randomBytes(KEY_BYTES) };

/** Whether a text is the hash of a password. */
export function isPasswordHash(text: string): boolean {
  return HASH.test(text);
}

/** Hashes a password with a random salt. @throws RangeError for one over 1,024 bytes */
export async function hashPassword(password: string): Promise<string> {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) throw new RangeError(`a password has at most ${MAX_PASSWORD_BYTES} bytes`);
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64url"), key.toString("base64url")].join(":");
}

/**
 * Whether a password is the one that was hashed. Without a hash the same steps are made and the answer is false, so that the time does not
 * show which users exist.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return false;
  const expected = parseHash(hash ?? "") ?? UNKNOWN_USER;
  const isEqual = timingSafeEqual(await derive(password, expected.salt), expected.key);
  return isEqual && expected !== UNKNOWN_USER;
}

/** Names a password without saying anything about it: a session that began with another one is over. */
export function passwordMark(hash: string): string {
  return createHash("sha256").update("binnacle password mark\0").update(hash).digest("base64url").slice(0, 22);
}

function parseHash(text: string): ParsedHash | undefined {
  const [, salt, key] = HASH.exec(text) ?? [];
  if (salt === undefined || key === undefined) return undefined;
  return { salt: Buffer.from(salt, "base64url"), key: Buffer.from(key, "base64url") };
}

/** A password may be typed in composed or decomposed characters. */
function derive(password: string, salt: Buffer): Promise<Buffer> {
  const maxmem = BLOCK_BYTES * COST.N * COST.r * 2;
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, { ...COST, maxmem }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
