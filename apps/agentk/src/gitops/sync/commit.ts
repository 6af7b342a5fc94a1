import type { ManifestFile } from "../manifests/manifest-file.ts";

/** A commit of a manifest project, as kas streamed it. */
export interface Commit {
  readonly commitId: string;
  readonly projectId: bigint;
  readonly files: readonly ManifestFile[];
}
