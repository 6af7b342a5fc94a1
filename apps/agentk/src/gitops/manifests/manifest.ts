import type { KubeObject, ObjectKey } from "@binnacle/kube";

/** One object of a manifest project, and where it stands. */
export interface Manifest {
  readonly object: KubeObject;
  /** Path of the file in the repository. */
  readonly source: string;
  /** Line of the file that the object begins at, from 1. */
  readonly line: number;
  /** Its YAML alone, from that line on. The lines of its fields are looked up there; nothing is parsed for it until somebody asks. */
  readonly text: string;
}

/** Something in a file that cannot be applied. */
export interface ManifestError {
  readonly source: string;
  /** From 1. */
  readonly line: number;
  /** One sentence, without the place. */
  readonly message: string;
  /** Another place that it is about: not in the sentence, for it is told to people who may not read the files. */
  readonly other?: { readonly source: string; readonly line: number };
  /** The object that it is about, where the file says that much. */
  readonly object?: ObjectKey;
}
