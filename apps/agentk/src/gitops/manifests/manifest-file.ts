/** One file of a manifest project, as kas streamed it. */
export interface ManifestFile {
  /** Path in the repository. */
  readonly source: string;
  readonly data: Uint8Array;
  /** Why kas does not send it, as a predicate of the file: "is a symbolic link"; absent: it is complete. */
  readonly refused?: string;
}
