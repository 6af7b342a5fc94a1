import { isDeepStrictEqual } from "node:util";

import { LRUCache } from "lru-cache";

import type { EnvironmentRecord } from "../main-application/records.ts";

const MAX_ENVIRONMENTS = 20_000;
/** Viewers with other rights see another deployment or another file: so many of each environment are remembered. */
const MAX_VARIANTS = 4;

/**
 * One object for equal records of environments, so that the memory of overviews does not grow with their viewers. A record is given only for
 * an equal one: nothing that one viewer read reaches another.
 */
export class RecordPool {
  readonly #records = new LRUCache<string, readonly EnvironmentRecord[]>({ max: MAX_ENVIRONMENTS });

  /** The record itself, or an equal one from before. */
  shared(record: EnvironmentRecord): EnvironmentRecord {
    const known = this.#records.get(record.number) ?? [];
    const equal = known.find((each) => isDeepStrictEqual(each, record));
    if (equal !== undefined) return equal;
    this.#records.set(record.number, [record, ...known].slice(0, MAX_VARIANTS));
    return record;
  }
}
