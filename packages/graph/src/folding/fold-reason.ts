/**
 * Why nodes are folded: `replicas` are Pods of one owner, `children` others of one owner, `leaves` roots of one kind with
 * nothing below them.
 */
export type FoldReason = "replicas" | "children" | "old-revisions" | "finished-jobs" | "generated-secrets" | "leaves";
