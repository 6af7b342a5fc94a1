import type { ObjectKey } from "@binnacle/kube";
import type { ManifestProblem, ManifestText } from "@binnacle/manifests";

/** One object of a manifest project, and where it stands. */
export interface Manifest extends ManifestText {
  /** Path of the file in the repository. */
  readonly source: string;
}

/** Something in a file that cannot be applied. */
export interface ManifestError extends ManifestProblem {
  readonly source: string;
  /** Another location that it is about: not in the message, because people who may not read the files see that. */
  readonly other?: { readonly source: string; readonly line: number };
  /** The object that it is about, where the file says that much. */
  readonly object?: ObjectKey;
}
