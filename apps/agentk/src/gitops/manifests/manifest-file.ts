/** One file of a manifest project, as kas streamed it. */
export interface ManifestFile {
  /** Path in the repository. */
  readonly source: string;
  readonly data: Uint8Array;
  /** Why kas does not send it, as what is said of a file: "is a symbolic link"; absent: it is whole. */
  readonly refused?: string;
}
