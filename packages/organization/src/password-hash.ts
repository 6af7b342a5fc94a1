import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** For error texts. */
export const PASSWORD_HASH_SHAPE = '"scrypt:N:r:p:salt:hash" with salt and hash as base64url, as a hash command prints it';

/** Cost of new hashes: 64 MiB and about 0.2 s (OWASP Password Storage Cheat Sheet, scrypt). */
const COST = { N: 65_536, r: 8, p: 2 };
/** Of hashes that are read: an attacker who can write the file must not make a sign-in take all memory. */
const MAX_COST = { N: 1_048_576, r: 16, p: 8 };
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const MAX_PASSWORD_BYTES = 1_024;
const HASH = /^scrypt:(\d{1,7}):(\d{1,2}):(\d{1,2}):([\w-]{22,86}):([\w-]{43})$/;

interface ParsedHash {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
  readonly key: Buffer;
}

/** Whether a text is the hash of a password whose check is not too expensive. */
export function isPasswordHash(text: string): boolean {
  return parseHash(text) !== undefined;
}

/** Hashes a password with a random salt. @throws RangeError for one over 1,024 bytes */
export async function hashPassword(password: string): Promise<string> {
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) throw new RangeError(`a password has at most ${MAX_PASSWORD_BYTES} bytes`);
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, { ...COST, salt });
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64url"), key.toString("base64url")].join(":");
}

/**
 * Whether a password is the one that was hashed. Without a hash it takes as long as with one and answers false, so that the time does not
 * show which users exist.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const parsed = (hash === undefined ? undefined : parseHash(hash)) ?? UNKNOWN_USER;
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return false;
  const key = await derive(password, parsed);
  return timingSafeEqual(key, parsed.key) && parsed !== UNKNOWN_USER;
}

const UNKNOWN_USER: ParsedHash = { ...COST, salt: randomBytes(SALT_BYTES), key: randomBytes(KEY_BYTES) };

function parseHash(text: string): ParsedHash | undefined {
  const [, N, r, p, salt = "", key = ""] = HASH.exec(text) ?? [];
  if (N === undefined) return undefined;
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const isPowerOfTwo = cost.N > 1 && (cost.N & (cost.N - 1)) === 0;
  if (!isPowerOfTwo || cost.r < 1 || cost.p < 1) return undefined;
  if (cost.N > MAX_COST.N || cost.r > MAX_COST.r || cost.p > MAX_COST.p || memoryOf(cost) > MAX_MEMORY_BYTES) return undefined;
  return { ...cost, salt: Buffer.from(salt, "base64url"), key: Buffer.from(key, "base64url") };
}

function derive(password: string, { N, r, p, salt }: Omit<ParsedHash, "key">): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, { N, r, p, maxmem: memoryOf({ N, r }) * 2 }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function memoryOf({ N, r }: { readonly N: number; readonly r: number }): number {
  return 128 * N * r;
}
