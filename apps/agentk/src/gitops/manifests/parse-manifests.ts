import { manifestsIn } from "@binnacle/manifests";

import { documentsOf } from "./documents-of.ts";
import { hasLargeDocument, LargeFileReader } from "./large-file-reader.ts";
import type { ManifestFile } from "./manifest-file.ts";
import type { Manifest, ManifestError } from "./manifest.ts";
import type { Turns } from "./turns.ts";

/** Errors that are reported; the others are counted. */
const MAX_ERRORS = 100;

/** The last of the blank characters in ASCII. */
const SPACE = 0x20;

/** What the files of a commit hold. */
export interface ParsedManifests {
  readonly manifests: readonly Manifest[];
  /** At most 100, in order of files and lines. */
  readonly errors: readonly ManifestError[];
  /** Files with an error, all of them: what else they hold may be read wrong too. */
  readonly broken: ReadonlySet<string>;
}

/** A commit with more objects than may be applied. Nothing of it was put in order. */
export interface TooManyObjects {
  /** Objects of the commit, about: those that were read, and one for each document that was not. */
  readonly tooMany: number;
}

/** How files are read. */
export interface ParsingOptions {
  readonly turns: Turns;
  /** Reading ends with the first object over it. */
  readonly maxObjects: number;
}

/** Reads all files of a commit, in turns; what cannot be read in turns is read in a thread. Never throws for what stands in a file. */
export async function parseManifests(files: readonly ManifestFile[], by: ParsingOptions): Promise<ParsedManifests | TooManyObjects> {
  const large = new LargeFileReader();
  try {
    return await parseFiles(files, { ...by, large });
  } finally {
    await large.close();
  }
}

async function parseFiles(
  files: readonly ManifestFile[],
  by: ParsingOptions & { readonly large: LargeFileReader },
): Promise<ParsedManifests | TooManyObjects> {
  const manifests: Manifest[] = [];
  const errors: ManifestError[] = [];
  const broken = new Set<string>();
  for (const [index, { source, data, refused }] of files.entries()) {
    if (refused !== undefined) {
      if (errors.length < MAX_ERRORS) errors.push({ source, line: 1, message: `the file ${refused}` });
      broken.add(source);
      continue;
    }
    let ofFile = 0;
    for await (const read of by.turns.over(hasLargeDocument(data) ? by.large.read(data) : manifestsIn(data))) {
      ofFile += 1;
      if ("message" in read) {
        if (errors.length < MAX_ERRORS) errors.push({ source, ...read });
        broken.add(source);
      } else manifests.push({ source, ...read });
      if (manifests.length > by.maxObjects) {
        const left = await countDocuments([{ source, data }, ...files.slice(index + 1)], by.turns);
        return { tooMany: manifests.length + Math.max(0, left - ofFile) };
      }
    }
  }
  return { manifests, errors, broken };
}

/** Documents of files, without reading them; blank ones do not count. */
async function countDocuments(files: readonly ManifestFile[], turns: Turns): Promise<number> {
  let count = 0;
  for (const { data } of files) {
    for await (const document of turns.over(documentsOf(data))) if (document.some((byte) => byte > SPACE)) count += 1;
  }
  return count;
}
