/** One file of a manifest project, as kas streamed it. */
export interface ManifestFile {
  /** Path in the repository. */
  readonly source: string;
  readonly data: Uint8Array;
}
