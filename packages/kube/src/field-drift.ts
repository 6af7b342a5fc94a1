import { fieldHash, type AppliedFields, type FieldHash } from "./applied-fields.ts";
import { isReplicas, partsOfPath, type FieldOwnership, type OtherField } from "./field-ownership.ts";

/** Sets of fields that are tried before who has taken what counts as not known. */
const MAX_TRIES = 200_000;

/** What has become of the fields that the last apply gave to agentk. */
export type FieldDrift =
  /** It owns all of them, but for those that a controller writes by design. */
  | { readonly kind: "none" }
  /** It has applied something else than was reported: not known before the next report. */
  | { readonly kind: "pending" }
  | {
      readonly kind: "changed";
      /** Fields that others own now; without those that a controller writes by design. */
      readonly taken: readonly OtherField[];
      /** Further fields: removed, or their present owner is unknown. */
      readonly unnamed: number;
    };

const NONE: FieldDrift = { kind: "none" };
const PENDING: FieldDrift = { kind: "pending" };

/**
 * Compares what the last apply gave to agentk with what it owns now. Which fields are missing is found by their hashes: the sum of the fields that
 * others have taken is what is missing from the sum.
 *
 * @param applied as the agent has reported it
 * @param now as the view has it; absent: the object does not bear the mark of an inventory
 * @param isAutoscaled something scales the object, whatever wrote its replicas last
 */
export function driftOf(applied: AppliedFields, now: FieldOwnership | undefined, isAutoscaled: boolean): FieldDrift {
  const left = now?.applied;
  if (left !== undefined && left.atSeconds !== applied.atSeconds) return PENDING;
  const missing = difference(applied.sum, left?.sum ?? [0, 0]);
  const count = applied.count - (left?.count ?? 0);
  if (count === 0 && isZero(missing)) return NONE;
  // Within one second it has applied something else.
  if (count <= 0) return PENDING;
  const lost = findFields(now?.others ?? [], missing, count);
  if (lost === undefined) return { kind: "changed", taken: [], unnamed: count };
  const taken = lost.filter(({ path, byDesign }) => byDesign !== true && !(isAutoscaled && isReplicas(path)));
  return taken.length === 0 ? NONE : { kind: "changed", taken, unnamed: 0 };
}

/** The `count` fields whose hashes have this sum; `undefined` when there are none, or too many sets to try. */
function findFields(others: readonly OtherField[], sum: FieldHash, count: number): readonly OtherField[] | undefined {
  const fields = others.map((field) => ({ field, hash: fieldHash(partsOfPath(field.path)) }));
  const chosen: OtherField[] = [];
  let tries = 0;
  const search = (from: number, left: FieldHash, wanted: number): boolean => {
    if (wanted === 0) return isZero(left);
    for (let index = from; index <= fields.length - wanted; index += 1) {
      if ((tries += 1) > MAX_TRIES) return false;
      const { field, hash } = fields[index] as (typeof fields)[number];
      chosen.push(field);
      if (search(index + 1, difference(left, hash), wanted - 1)) return true;
      chosen.pop();
    }
    return false;
  };
  return search(0, sum, count) ? chosen : undefined;
}

function difference(a: FieldHash, b: FieldHash): FieldHash {
  return [(a[0] - b[0]) >>> 0, (a[1] - b[1]) >>> 0];
}

function isZero([low, high]: FieldHash): boolean {
  return low === 0 && high === 0;
}
