import { fieldsAt, textAt } from "@binnacle/kube";

/**
 * Annotation of an inventory, written by syncs that show drift: what was applied last as a whole. While a sync would be of the same, it changes
 * nothing and says what has drifted since.
 */
export const APPLIED = "gitops.binnacle/applied";

/**
 * Annotation of an inventory: the full id of the commit that was applied last as a whole, and when first, "<commit id> <RFC 3339 time>". Without a
 * time it is not known when. Written once per commit, in the write that ends the sync.
 */
export const LAST_APPLIED = "gitops.binnacle/last-applied";

/** A commit that was applied as a whole. */
export interface AppliedCommit {
  readonly commitId: string;
  /** When first; undefined: not known. */
  readonly atMs: number | undefined;
}

/** The value of `LAST_APPLIED`. */
export function formatLastApplied({ commitId, atMs }: AppliedCommit): string {
  return atMs === undefined ? commitId : `${commitId} ${new Date(atMs).toISOString()}`;
}

/** Undefined for a value of another form; a time that cannot be read, or is of no calendar, is not known. */
function parseLastApplied(value: string): AppliedCommit | undefined {
  const [, commitId, time] = /^([0-9a-f]{1,64})(?: (\S{1,40}))?$/.exec(value) ?? [];
  if (commitId === undefined) return undefined;
  const atMs = Date.parse(time ?? "");
  return { commitId, atMs: Number.isNaN(atMs) ? undefined : atMs };
}

/** The commit that the annotations of an inventory's ConfigMap record. What earlier releases have written has no time. */
export function lastAppliedOf(configMap: unknown): AppliedCommit | undefined {
  const annotations = fieldsAt(fieldsAt(configMap, "metadata"), "annotations");
  const [former = ""] = textAt(annotations, APPLIED).split(" ");
  return parseLastApplied(textAt(annotations, LAST_APPLIED)) ?? parseLastApplied(former);
}

/**
 * What an inventory records after a sync.
 *
 * @param before what it has recorded so far
 * @param sync `isWhole`: all of the commit is in the cluster; `hasWritten`: the sync has applied or pruned anything
 * @returns undefined: nothing new
 */
export function nextLastApplied(
  before: AppliedCommit | undefined,
  sync: { readonly commitId: string; readonly isWhole: boolean; readonly hasWritten: boolean; readonly nowMs: number },
): AppliedCommit | undefined {
  const { commitId, isWhole, hasWritten, nowMs } = sync;
  if (!isWhole || before?.commitId === commitId) return undefined;
  // What is as it should be, in an inventory that records no commit, was applied by another program at a time that is not known.
  return { commitId, atMs: before !== undefined || hasWritten ? nowMs : undefined };
}
