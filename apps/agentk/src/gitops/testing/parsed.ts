import type { ManifestFile } from "../manifests/manifest-file.ts";
import { parseManifests, type ParsedManifests } from "../manifests/parse-manifests.ts";
import { Turns } from "../manifests/turns.ts";

/** The manifests of files that are not too many. */
export async function parsed(...files: readonly ManifestFile[]): Promise<ParsedManifests> {
  const read = await parseManifests(files, { turns: new Turns(), maxObjects: 100_000 });
  if ("tooMany" in read) throw new Error(`${read.tooMany} objects are too many`);
  return read;
}
