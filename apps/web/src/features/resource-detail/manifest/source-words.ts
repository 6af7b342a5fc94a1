import { ManifestSource } from "@binnacle/proto/dashboard-enums";
import type { WordsId } from "@binnacle/words";

/** What a resource is compared with: its manifest in Git, or the state that was applied last. */
export type ComparedWith = "git" | "last-applied";

type SourceText = "allSame" | "different" | "same" | "leftOut" | "side" | "legend" | "diffLabel" | "onlyDesired";

/** The texts that name what a resource is compared with. */
export const SOURCE_WORDS: Readonly<Record<ComparedWith, Readonly<Record<SourceText, WordsId>>>> = {
  git: {
    allSame: "resource-detail/all-fields-match",
    different: "resource-detail/fields-differ",
    same: "resource-detail/matches-manifest",
    leftOut: "resource-detail/left-out",
    side: "resource-detail/manifest",
    legend: "resource-detail/diff-legend",
    diffLabel: "resource-detail/diff-label",
    onlyDesired: "resource-detail/diff-only-git",
  },
  "last-applied": {
    allSame: "resource-detail/applied/all-fields-match",
    different: "resource-detail/applied/fields-differ",
    same: "resource-detail/applied/as-applied",
    leftOut: "resource-detail/applied/left-out",
    side: "resource-detail/applied/side",
    legend: "resource-detail/applied/diff-legend",
    diffLabel: "resource-detail/applied/diff-label",
    onlyDesired: "resource-detail/applied/diff-only",
  },
};

/** What a response is compared with. A server of an earlier release compares with Git alone. */
export function comparedWith(source: ManifestSource): ComparedWith {
  return source === ManifestSource.LAST_APPLIED ? "last-applied" : "git";
}
