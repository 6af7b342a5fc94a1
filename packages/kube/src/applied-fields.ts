import { GITOPS_FIELD_MANAGER } from "./gitops-names.ts";
import { fieldsAt, isFields, listAt, textAt, type Fields } from "./loose-json.ts";

/** Fields of one manager that are counted; an object with more is not compared. */
const MAX_FIELDS = 10_000;
const MAX_DEPTH = 64;
const DIGEST_BYTES = 16;

/** Starts of two FNV-1a hashes of 32 bits, which together make one of 64. */
const START: FieldHash = [0x81_1c_9d_c5, 0x2f_7d_1a_b3];
const PRIME = 0x01_00_01_93;

/** Two numbers of 32 bits, unsigned in sums. */
export type FieldHash = readonly [number, number];

/**
 * The fields that an apply gave to a manager. The sum does not depend on the order, so that what is missing from it can be found among the
 * fields of others without knowing the set.
 */
export interface AppliedFields {
  /** Sum of the hashes of their paths, each half modulo 2^32. */
  readonly sum: FieldHash;
  readonly count: number;
  /** When the entry was changed last by an apply, in seconds since the epoch; the API server does not change it when others take fields. */
  readonly atSeconds: number;
}

/** Called with each part of a set of fields: `parts` of the path as `fieldsV1` names them, not to be retained. */
type VisitField = (parts: readonly string[], hash: FieldHash) => void;

/**
 * What the last server-side apply of agentk has left it in an object.
 *
 * @param object as the API server sends it
 * @returns `undefined` when agentk owns nothing there, or more than is counted
 * @see Kubernetes reference, "Server-Side Apply", "Field management"
 */
export function appliedFieldsOf(object: unknown): AppliedFields | undefined {
  const entry = appliedEntryOf(listAt(fieldsAt(object, "metadata"), "managedFields"));
  return entry && sumOf(entry);
}

/** The entry of agentk's applies. @param managedFields of an object */
export function appliedEntryOf(managedFields: readonly unknown[]): Fields | undefined {
  return managedFields.filter(isFields).find(isApplied);
}

/** Whether an entry of `managedFields` is that of agentk's applies. */
export function isApplied(entry: Fields): boolean {
  return entry["manager"] === GITOPS_FIELD_MANAGER && entry["operation"] === "Apply" && textAt(entry, "subresource") === "";
}

/** As `appliedFieldsOf`, of an entry. */
export function sumOf(entry: Fields): AppliedFields | undefined {
  const atSeconds = Math.floor(Date.parse(textAt(entry, "time")) / 1_000);
  let [low, high, count] = [0, 0, 0];
  forEachOwned(fieldsAt(entry, "fieldsV1"), (_, hash) => {
    low = (low + hash[0]) >>> 0;
    high = (high + hash[1]) >>> 0;
    count += 1;
  });
  return count > MAX_FIELDS || !(atSeconds >= 0 && atSeconds < 2 ** 32) ? undefined : { sum: [low, high], count, atSeconds };
}

/** Calls `visit` for each field that a set owns by itself; at most one more than are counted. @param owned `fieldsV1` of an entry */
export function forEachOwned(owned: Fields, visit: VisitField): void {
  walk(owned, { parts: [], state: START, visit, left: { fields: MAX_FIELDS + 1 } });
}

/** The hash of a field. @param parts as `forEachOwned` gives them */
export function fieldHash(parts: readonly string[]): FieldHash {
  return finished(parts.reduce(extended, START));
}

/** Writes the digest of a report: 16 bytes. */
export function toDigest({ sum, count, atSeconds }: AppliedFields): Uint8Array {
  const bytes = new Uint8Array(DIGEST_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [index, value] of [sum[0], sum[1], count, atSeconds].entries()) view.setUint32(index * 4, value);
  return bytes;
}

/** Reads what `toDigest` writes. @returns `undefined` for anything else */
export function fromDigest(bytes: Uint8Array): AppliedFields | undefined {
  if (bytes.byteLength !== DIGEST_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [low, high, count, atSeconds] = [0, 4, 8, 12].map((at) => view.getUint32(at)) as [number, number, number, number];
  return count === 0 || count > MAX_FIELDS ? undefined : { sum: [low, high], count, atSeconds };
}

interface Walk {
  readonly parts: string[];
  readonly state: FieldHash;
  readonly visit: VisitField;
  readonly left: { fields: number };
}

function walk(owned: Fields, at: Walk): void {
  const { parts, state, visit, left } = at;
  for (const name in owned) {
    if (left.fields <= 0) return;
    const below = owned[name];
    if (name === ".") {
      left.fields -= 1;
      visit(parts, finished(state));
    } else if (isFields(below) && parts.length < MAX_DEPTH) {
      parts.push(name);
      const next = extended(state, name);
      if (isEmpty(below)) {
        left.fields -= 1;
        visit(parts, finished(next));
      } else walk(below, { ...at, state: next });
      parts.pop();
    }
  }
}

function isEmpty(fields: Fields): boolean {
  for (const _ in fields) return false;
  return true;
}

function extended([low, high]: FieldHash, part: string): FieldHash {
  let [a, b] = [Math.imul(low ^ 10, PRIME), Math.imul(high ^ 10, PRIME)];
  for (let index = 0; index < part.length; index += 1) {
    const code = part.charCodeAt(index);
    a = Math.imul(a ^ code, PRIME);
    b = Math.imul(b ^ code, PRIME);
  }
  return [a, b];
}

/** The last step of MurmurHash3, without which sums of similar paths would be similar. */
function finished([low, high]: FieldHash): FieldHash {
  return [mixed(low), mixed(high ^ (low >>> 7))];
}

function mixed(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
