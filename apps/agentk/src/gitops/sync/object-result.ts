import type { KeptField, ObjectKey } from "@binnacle/kube";

import type { PlacedManifest } from "../manifests/placed-manifest.ts";

/** What became of one object. */
export interface ObjectResult {
  readonly key: ObjectKey;
  readonly outcome: "applied" | "unchanged" | "pruned" | "skipped" | "drifted" | "failed";
  /** Empty for what went well. */
  readonly reason: string;
  /** Empty for what no manifest has any more. */
  readonly source: string;
  /** From 1; 0 without a source. */
  readonly line: number;
  /** Digest of the fields that the last apply gave to agentk, as `toDigest` writes it; absent: not known. */
  readonly appliedDigest?: Uint8Array;
  /** Fields that stay as others have written them. */
  readonly keptFields?: readonly KeptField[];
}

/** The result of a manifest. @param at `line` of the field that is to blame, when it is known */
export function resultOf(
  manifest: PlacedManifest,
  outcome: ObjectResult["outcome"],
  at: { readonly reason?: string; readonly line?: number; readonly appliedDigest?: Uint8Array | undefined } = {},
): ObjectResult {
  const { reason = "", line = manifest.line, appliedDigest } = at;
  return { key: manifest.key, outcome, reason, source: manifest.source, line, ...(appliedDigest && { appliedDigest }) };
}
