import { encodeKey, type ObjectKey } from "@binnacle/kube";

import type { ByteBudget } from "../limits/byte-budget.ts";
import { weightOf } from "../objects/object-weight.ts";
import type { FieldDifference } from "./field-differences.ts";
import type { ObjectChange } from "./journal-entry.ts";

/** Changes that are kept of one workload: of what has no owner, with all that it owns. */
const MAX_OF_WORKLOAD = 200;

interface Entry {
  readonly change: ObjectChange;
  /** `encodeKey` of the object. */
  readonly id: string;
  readonly bytes: number;
  ring: Ring;
}

/** The changes of a workload, oldest first. */
interface Ring {
  readonly workload: string;
  entries: Entry[];
  /** What was heard of until then may lack; absent: nothing was cut. */
  cutMs?: number;
}

/** What is known of changes, and since when that is all. */
export interface JournalPart {
  /** Newest first. */
  readonly changes: readonly ObjectChange[];
  /** Until then, in milliseconds since the epoch, some may have been cut; absent: none were. */
  readonly cutMs: number | undefined;
}

/** What one writer changes within this time of its first change is one change. */
const TOGETHER_MS = 2_000;
/** Changes of a status within this time are one: controllers write it at every step. */
const STATUS_TOGETHER_MS = 10_000;
const MAX_FIELDS = 20;
const MAX_VERSIONS = 20;

/**
 * The changes of an environment's objects: at most 200 of each workload, and as many bytes as the budget has. The oldest leave first, and
 * it is remembered until when something is missing. What one writer does to an object in a moment is one change. Synchronous.
 */
export class Journal {
  readonly #budget: ByteBudget;
  /** Oldest first, of all workloads. */
  readonly #entries = new Set<Entry>();
  readonly #rings = new Map<string, Ring>();
  /** The last change of each object, by its key. */
  readonly #last = new Map<string, Entry>();
  #cutMs: number | undefined;

  /** @param budget its own part, for the journal alone */
  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  /** How many changes it has. */
  get size(): number {
    return this.#entries.size;
  }

  /** @param workload `encodeKey` of the object at the top of its owners, perhaps of itself */
  add(change: ObjectChange, workload: string): void {
    const id = encodeKey(change.key);
    const last = this.#last.get(id);
    const isRecreated = change.kind === "created" && last?.change.kind === "deleted";
    if (!last || !isContinued(last.change, change)) return this.#put(isRecreated ? { ...change, kind: "recreated" } : change, id, workload);
    this.#remove(last);
    const both = coalesce(last.change, change);
    if (both) this.#put(both, id, workload);
  }

  /** Removes the changes of objects that may not be shown any more, or not correctly. */
  forget(isForgotten: (key: ObjectKey) => boolean): void {
    for (const entry of this.#entries) if (isForgotten(entry.change.key)) this.#remove(entry);
  }

  /** All changes that were heard of at a time or later. @param sinceMs milliseconds since the epoch */
  since(sinceMs: number): JournalPart {
    const changes = [...this.#entries].filter(({ change }) => change.heardMs >= sinceMs).map(({ change }) => change);
    const cuts = [this.#cutMs, ...[...this.#rings.values()].map(({ cutMs }) => cutMs)];
    return { changes: changes.reverse(), cutMs: latest(cuts) };
  }

  /** Changes of one object. @param workload as for `add`, as it is now */
  of(key: ObjectKey, workload: string): JournalPart {
    const id = encodeKey(key);
    const ring = this.#last.get(id)?.ring ?? this.#rings.get(workload);
    const changes = ring?.entries.filter((entry) => entry.id === id).map(({ change }) => change) ?? [];
    return { changes: changes.reverse(), cutMs: latest([this.#cutMs, ring?.cutMs]) };
  }

  /** Lets go of everything. */
  close(): void {
    this.#entries.clear();
    this.#rings.clear();
    this.#last.clear();
    this.#budget.close();
  }

  #put(change: ObjectChange, id: string, workload: string): void {
    const bytes = weightOf(change);
    while (!this.#budget.take(bytes)) {
      const [oldest] = this.#entries;
      this.#cutMs = latest([this.#cutMs, (oldest?.change ?? change).heardMs]);
      if (oldest === undefined) return;
      this.#remove(oldest);
    }
    const ring = this.#ringOf(workload, id);
    const entry = { change, id, bytes, ring };
    ring.entries.push(entry);
    this.#entries.add(entry);
    this.#last.set(id, entry);
    while (ring.entries.length > MAX_OF_WORKLOAD) this.#cutRing(ring);
  }

  #cutRing(ring: Ring): void {
    const [oldest] = ring.entries;
    if (oldest === undefined) return;
    ring.cutMs = Math.max(ring.cutMs ?? oldest.change.heardMs, oldest.change.heardMs);
    this.#remove(oldest);
  }

  /** The ring of a workload. What was thought to be one, and turns out to have an owner, brings along what it has. */
  #ringOf(workload: string, id: string): Ring {
    const ring = this.#rings.get(workload) ?? { workload, entries: [] };
    this.#rings.set(workload, ring);
    const own = id === workload ? undefined : this.#rings.get(id);
    if (own === undefined || own === ring) return ring;
    this.#rings.delete(id);
    for (const entry of own.entries) entry.ring = ring;
    ring.entries = [...ring.entries, ...own.entries].toSorted((a, b) => a.change.heardMs - b.change.heardMs);
    const cutMs = latest([ring.cutMs, own.cutMs]);
    if (cutMs !== undefined) ring.cutMs = cutMs;
    return ring;
  }

  #remove(entry: Entry): void {
    const { ring, id } = entry;
    this.#entries.delete(entry);
    this.#budget.give(entry.bytes);
    // Nearly always the first or the last.
    const at = ring.entries[0] === entry ? 0 : ring.entries.lastIndexOf(entry);
    ring.entries.splice(at, 1);
    if (this.#last.get(id) === entry) this.#last.delete(id);
    if (ring.entries.length === 0) this.#letGo(ring);
  }

  /** An empty ring is remembered only by what it lacks, and that with all others. */
  #letGo(ring: Ring): void {
    if (this.#rings.get(ring.workload) !== ring) return;
    this.#rings.delete(ring.workload);
    this.#cutMs = latest([this.#cutMs, ring.cutMs]);
  }
}

function latest(times: readonly (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : known.reduce((last, time) => Math.max(last, time));
}

/** Whether a change goes on with what the last one of the same object has begun. */
function isContinued(last: ObjectChange, next: ObjectChange): boolean {
  const isSame = last.uid === next.uid && last.manager === next.manager && last.subresource === next.subresource;
  if (!isSame || last.kind !== "changed" || next.kind !== "changed" || last.isAfterGap !== next.isAfterGap) return false;
  const passedMs = next.heardMs - last.firstHeardMs;
  // A clock that was set back says nothing.
  return passedMs >= 0 && passedMs <= (isOfStatus(last) && isOfStatus(next) ? STATUS_TOGETHER_MS : TOGETHER_MS);
}

/** Both as one: what was before the first, and what is after the last. @returns `undefined` when everything is as it was */
function coalesce(last: ObjectChange, next: ObjectChange): ObjectChange | undefined {
  const fields = new Map(last.fields.map((field) => [field.path, field]));
  for (const field of next.fields) {
    const known = fields.get(field.path);
    const both = known === undefined ? field : across(known, field);
    if (both === undefined) fields.delete(field.path);
    else fields.set(field.path, both);
  }
  const moreFields = Math.max(last.moreFields, next.moreFields) + Math.max(0, fields.size - MAX_FIELDS);
  if (fields.size === 0 && moreFields === 0) return undefined;
  const { firstHeardMs } = last;
  const versions = [...last.versions, ...next.versions].slice(-MAX_VERSIONS);
  return {
    ...next,
    fields: [...fields.values()].slice(0, MAX_FIELDS),
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
