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

/**
 * Annotation of an inventory: the commit of `LAST_APPLIED` and the number of its objects, "<commit id> <count>". An annotation of its own, because
 * earlier releases read no third part of the other one.
 */
export const APPLIED_OBJECTS = "gitops.binnacle/applied-objects";

/** A commit that was applied as a whole. */
export interface AppliedCommit {
  readonly commitId: string;
  /** When first; undefined: not known. */
  readonly atMs: number | undefined;
  /** Objects that it has; absent: not known. */
  readonly objects?: number | undefined;
}

/** The annotations that record a commit. */
export function lastAppliedAnnotations({ commitId, atMs, objects }: AppliedCommit): Readonly<Record<string, string>> {
  return {
    [LAST_APPLIED]: atMs === undefined ? commitId : `${commitId} ${new Date(atMs).toISOString()}`,
    ...(objects !== undefined && { [APPLIED_OBJECTS]: `${commitId} ${objects}` }),
  };
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
  const commit = parseLastApplied(textAt(annotations, LAST_APPLIED)) ?? parseLastApplied(former);
  // An earlier release that writes the one annotation leaves the other as it is.
  const [, counted, count] = /^(\S+) (\d{1,6})$/.exec(textAt(annotations, APPLIED_OBJECTS)) ?? [];
  return commit === undefined || counted !== commit.commitId ? commit : { ...commit, objects: Number(count) };
}

/**
 * What an inventory records after a sync.
 *
 * @param before what it has recorded so far
 * @param sync `isWhole`: all of the commit is in the cluster, which has `objects`; `hasWritten`: the sync has applied or pruned anything
 * @returns undefined: nothing new
 */
export function nextLastApplied(
  before: AppliedCommit | undefined,
  sync: {
    readonly commitId: string;
    readonly isWhole: boolean;
    readonly hasWritten: boolean;
    readonly objects: number;
    readonly nowMs: number;
  },
): AppliedCommit | undefined {
  const { commitId, isWhole, hasWritten, objects, nowMs } = sync;
  if (!isWhole) return undefined;
  if (before?.commitId === commitId) return before.objects === objects ? undefined : { ...before, objects };
  // What is as it should be, in an inventory that records no commit, was applied by another program at a time that is not known.
  return { commitId, atMs: before !== undefined || hasWritten ? nowMs : undefined, objects };
}
