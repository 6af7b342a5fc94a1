import { fieldsAt, listAt, ownsField, splitFieldPath, textAt, type Fields, type KubeObject } from "@binnacle/kube";

/** An API server's clock may be ahead of ours; a time that is further ahead is none. */
const MAX_AHEAD_MS = 5 * 60_000;
/** Entries of an object that are looked at, the newest ones; a few is usual. */
const MAX_ENTRIES = 50;

/** A writer, as the API server records it. */
export interface FieldWriter {
  readonly manager: string;
  /** "status", "scale"; empty for the object itself. */
  readonly subresource: string;
  /** Absent: the API server does not say it, as for what is written through `scale`. */
  readonly atMs?: number;
}

interface ManagedEntry {
  readonly manager: string;
  readonly subresource: string;
  /** -∞ when it is not known. */
  readonly atMs: number;
  readonly fields: Fields;
}

/**
 * The writer of a change: of the managers the one that owns most of these fields now, and of several the one that wrote last, because one
 * version of an object has one writer. A manager that only removed fields owns none of them; it is known when it has written since,
 * outside of the status.
 *
 * @param arrived the version that they were written in, with its managed fields
 * @param changed the paths that have changed, and what was kept of the version before
 * @returns `undefined` when it is unknown
 * @see Kubernetes reference, "Server-Side Apply", "Field management"
 */
export function writerOf(
  arrived: KubeObject,
  { paths, before }: { readonly paths: readonly string[]; readonly before: KubeObject },
  nowMs: number,
): FieldWriter | undefined {
  const entries = entriesOf(arrived, nowMs);
  const parts = paths.map(splitFieldPath);
  let best: ManagedEntry | undefined;
  let bestOwned = 0;
  for (const entry of entries) {
    const owned = parts.filter((path) => ownsField(entry.fields, path)).length;
    // Newest first: of equals the first stays.
    if (owned <= bestOwned) continue;
    best = entry;
    bestOwned = owned;
  }
  return writer(best ?? newSince(entries, before, nowMs));
}

/** The creator of an object: the first manager that wrote it, outside of the status. */
export function creatorOf(arrived: KubeObject, nowMs: number): FieldWriter | undefined {
  const entries = entriesOf(arrived, nowMs).filter(({ subresource }) => subresource === "");
  return writer(entries.at(-1));
}

/** The last manager that wrote an object outside of its status, as views retain it. @param kept an object as `projectObject` makes it */
export function lastWriterOf(kept: KubeObject, nowMs: number): FieldWriter | undefined {
  return writer(newestOf(entriesOf(kept, nowMs)));
}

function newSince(entries: readonly ManagedEntry[], before: KubeObject, nowMs: number): ManagedEntry | undefined {
  const known = newestOf(entriesOf(before, nowMs));
  const last = newestOf(entries.filter(({ subresource }) => subresource !== "status"));
  if (last === undefined || known === undefined) return last;
  return last.atMs > known.atMs || (last.atMs === known.atMs && last.manager !== known.manager) ? last : undefined;
}

function newestOf([newest]: readonly ManagedEntry[]): ManagedEntry | undefined {
  return newest && Number.isFinite(newest.atMs) ? newest : undefined;
}

/** Newest first. */
function entriesOf(object: KubeObject, nowMs: number): ManagedEntry[] {
  const entries = listAt(object.metadata, "managedFields").flatMap((entry) => {
    const [manager, timeMs] = [textAt(entry, "manager"), Date.parse(textAt(entry, "time"))];
    if (manager === "") return [];
    const atMs = timeMs <= nowMs + MAX_AHEAD_MS ? timeMs : Number.NEGATIVE_INFINITY;
    return [{ manager, subresource: textAt(entry, "subresource"), atMs, fields: fieldsAt(entry, "fieldsV1") }];
  });
  return entries.sort((a, b) => (a.atMs === b.atMs ? 0 : b.atMs - a.atMs)).slice(0, MAX_ENTRIES);
}

function writer(entry: ManagedEntry | undefined): FieldWriter | undefined {
  if (entry === undefined) return undefined;
  const { manager, subresource, atMs } = entry;
  return { manager: shortOf(manager), subresource: shortOf(subresource), ...(Number.isFinite(atMs) ? { atMs } : {}) };
}

/** The API server allows 128 characters; one that lies may say anything. */
function shortOf(name: string): string {
  return name.slice(0, 128);
}
