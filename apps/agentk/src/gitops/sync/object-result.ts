import type { ObjectKey } from "@binnacle/kube";

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
}

/** The result of a manifest. @param at `line` of the field that is to blame, when it is known */
export function resultOf(
  manifest: PlacedManifest,
  outcome: ObjectResult["outcome"],
  at: { readonly reason?: string; readonly line?: number } = {},
): ObjectResult {
  return { key: manifest.key, outcome, reason: at.reason ?? "", source: manifest.source, line: at.line ?? manifest.line };
}
