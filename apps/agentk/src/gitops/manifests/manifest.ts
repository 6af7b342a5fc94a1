import type { KubeObject, ObjectKey } from "@binnacle/kube";

/** One object of a manifest project, and where it stands. */
export interface Manifest {
  readonly object: KubeObject;
  /** Path of the file in the repository. */
  readonly source: string;
  /** Line of the file that the object begins at, from 1. */
  readonly line: number;
  /** Where the lines of its fields are looked up; the file is not parsed for it until somebody asks. */
  readonly origin: ManifestOrigin;
}

/** The piece of a file that an object was read from. */
interface ManifestOrigin {
  /** The YAML document. */
  readonly text: string;
  /** Line of the file that the text begins at, from 1. */
  readonly firstLine: number;
  /** Path to the object in the document: empty, or `items` and a place for an item of a list. */
  readonly path: readonly (string | number)[];
}

/** Something in a file that cannot be applied. */
export interface ManifestError {
  readonly source: string;
  /** From 1. */
  readonly line: number;
  /** One sentence, without the place. */
  readonly message: string;
  /** The object that it is about, where the file says that much. */
  readonly object?: ObjectKey;
}
