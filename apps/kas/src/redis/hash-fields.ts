import type { Redis } from "ioredis";

/** One field of a hash. */
export interface HashField {
  readonly name: string;
  readonly value: Buffer;
}

/** Deletes a field only if it was not written since it was read. */
const DELETE_IF_SAME = `if redis.call("HGET", KEYS[1], ARGV[1]) == ARGV[2] then return redis.call("HDEL", KEYS[1], ARGV[1]) end return 0`;

/**
 * Fields of a hash, at most `limit` of them: a client that can write to Redis must not fill the memory of kas.
 *
 * @throws what ioredis throws, also for a key of another type
 */
export async function readHashFields(redis: Redis, key: string, limit = 256): Promise<readonly HashField[]> {
  const fields = new Map<string, Buffer>();
  let cursor = "0";
  do {
    const [next, flat] = await redis.hscanBuffer(key, cursor, "COUNT", limit);
    for (let at = 0; at + 1 < flat.length && fields.size < limit; at += 2) {
      const name = flat[at];
      const value = flat[at + 1];
      if (name !== undefined && value !== undefined) fields.set(name.toString(), value);
    }
    cursor = next.toString();
  } while (cursor !== "0" && fields.size < limit);
  return [...fields].map(([name, value]) => ({ name, value }));
}

/** Pages of a hash that are looked through for dead fields; the rest waits for the next time. */
const MAX_PAGES = 64;

/** Removes what has expired from a hash, page by page: nothing of it is kept. @returns false when Redis failed */
export async function forgetExpiredFields(redis: Redis, key: string, isExpired: (value: Buffer) => boolean): Promise<boolean> {
  try {
    let cursor = "0";
    let pages = 0;
    do {
      const [next, flat] = await redis.hscanBuffer(key, cursor, "COUNT", 256);
      for (let at = 0; at + 1 < flat.length; at += 2) {
        const name = flat[at];
        const value = flat[at + 1];
        if (name !== undefined && value !== undefined && isExpired(value)) forgetHashField(redis, key, { name: name.toString(), value });
      }
      cursor = next.toString();
      pages += 1;
    } while (cursor !== "0" && pages < MAX_PAGES);
    return true;
  } catch {
    return false;
  }
}

/** Removes a field that has expired, unless its owner has just renewed it. Failure is ignored: the next reader tries again. */
export function forgetHashField(redis: Redis, key: string, field: HashField): void {
  redis.eval(DELETE_IF_SAME, 1, key, field.name, field.value).catch(() => undefined);
}
