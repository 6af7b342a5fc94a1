import type { FieldDifference } from "./field-differences.ts";
import type { ObjectChange } from "./journal-entry.ts";

/** What one writer changes within this time of its first change is one change. */
const TOGETHER_MS = 2_000;
/** As long a status is told as one: controllers write it at every step. */
const STATUS_TOGETHER_MS = 10_000;
const MOST_FIELDS = 20;
const MOST_VERSIONS = 20;

/** Whether a change goes on with what the last one of the same object has begun. */
export function isContinued(last: ObjectChange, next: ObjectChange): boolean {
  const isSame = last.uid === next.uid && last.manager === next.manager && last.subresource === next.subresource;
  if (!isSame || last.kind !== "changed" || next.kind !== "changed" || last.isAfterGap !== next.isAfterGap) return false;
  const passedMs = next.heardMs - last.firstHeardMs;
  // A clock that was set back says nothing.
  return passedMs >= 0 && passedMs <= (isOfStatus(last) && isOfStatus(next) ? STATUS_TOGETHER_MS : TOGETHER_MS);
}

/** Both as one: what was before the first, and what is after the last. @returns `undefined` when everything is as it was */
export function coalesce(last: ObjectChange, next: ObjectChange): ObjectChange | undefined {
  const fields = new Map(last.fields.map((field) => [field.path, field]));
  for (const field of next.fields) {
    const known = fields.get(field.path);
    const both = known === undefined ? field : across(known, field);
    if (both === undefined) fields.delete(field.path);
    else fields.set(field.path, both);
  }
  const moreFields = Math.max(last.moreFields, next.moreFields) + Math.max(0, fields.size - MOST_FIELDS);
  if (fields.size === 0 && moreFields === 0) return undefined;
  const { firstHeardMs } = last;
  const versions = [...last.versions, ...next.versions].slice(-MOST_VERSIONS);
  return {
    ...next,
    fields: [...fields.values()].slice(0, MOST_FIELDS),
    moreFields,
    count: last.count + next.count,
    versions,
    firstHeardMs,
  };
}

function across(first: FieldDifference, last: FieldDifference): FieldDifference | undefined {
  const { path } = first;
  const hashes = [first.hashes[0], last.hashes[1]] as const;
  if (hashes[0] === hashes[1]) return undefined;
  const { before } = first;
  const { after } = last;
  // Both may read the same where something in them is masked.
  if (first.hidden || last.hidden || before === after) return { path, hidden: true, hashes };
  return { path, hidden: false, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }), hashes };
}

function isOfStatus({ fields }: ObjectChange): boolean {
  return fields.every(({ path }) => path.startsWith("status"));
}
