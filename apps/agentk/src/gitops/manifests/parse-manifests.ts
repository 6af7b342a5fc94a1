import { manifestsIn } from "@binnacle/manifests";

import type { ManifestFile } from "./manifest-file.ts";
import type { Manifest, ManifestError } from "./manifest.ts";

/** Errors that are told; the rest is a number. */
const MAX_ERRORS = 100;

/** What the files of a commit hold. */
export interface ParsedManifests {
  readonly manifests: readonly Manifest[];
  /** At most 100, in order of files and lines. */
  readonly errors: readonly ManifestError[];
  /** Files with an error, all of them: what else they hold may be read wrong too. */
  readonly broken: ReadonlySet<string>;
}

/** Reads all files of a commit. Other work gets its turn between two documents. Never throws for what stands in a file. */
export async function parseManifests(files: readonly ManifestFile[]): Promise<ParsedManifests> {
  const manifests: Manifest[] = [];
  const errors: ManifestError[] = [];
  const broken = new Set<string>();
  for (const { source, data } of files) {
    for (const read of manifestsIn(data)) {
      if ("message" in read) {
        errors.push({ source, ...read });
        broken.add(source);
      } else manifests.push({ source, ...read });
      await new Promise((resolve) => void setImmediate(resolve));
    }
  }
  return { manifests, errors: errors.slice(0, MAX_ERRORS), broken };
}
