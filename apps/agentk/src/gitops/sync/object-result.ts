import type { KeptField, ObjectKey } from "@binnacle/kube";

import type { PlacedManifest } from "../manifests/placed-manifest.ts";

/** What became of one object. */
export interface ObjectResult {
  readonly key: ObjectKey;
  /** `drifted`: it differs from its manifest and is left so; `pending`: the sync has not come to it. */
  readonly outcome: "applied" | "unchanged" | "pruned" | "skipped" | "drifted" | "failed" | "pending";
  /** Empty for what went well. */
  readonly reason: string;
  /** Empty for what no manifest has any more. */
  readonly source: string;
  /** Where the object begins in the file, from 1; 0 without a source. */
  readonly line: number;
  /** Line of the field that the reason refers to, from 1; 0 for none. */
  readonly fieldLine: number;
  /** Digest of the fields that the last apply gave to agentk, as `toDigest` writes it; absent: not known. */
  readonly appliedDigest?: Uint8Array;
  /** Fields that stay as others have written them. */
  readonly keptFields?: readonly KeptField[];
}

/** The result of a manifest. @param at `fieldLine` of the field that the reason refers to, when it is known */
export function resultOf(
  manifest: PlacedManifest,
  outcome: ObjectResult["outcome"],
  at: { readonly reason?: string; readonly fieldLine?: number; readonly appliedDigest?: Uint8Array | undefined } = {},
): ObjectResult {
  const { key, source, line } = manifest;
  const { reason = "", fieldLine = 0, appliedDigest } = at;
  return { key, outcome, reason, source, line, fieldLine, ...(appliedDigest && { appliedDigest }) };
}
