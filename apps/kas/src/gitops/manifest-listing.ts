import { setImmediate } from "node:timers/promises";

import { TreeEntry_EntryType, type TreeEntry } from "@binnacle/proto/gitaly-commit";
import { Fault } from "@binnacle/rpc";

import type { CommitReader } from "./commit-reader.ts";
import type { ManifestGlob } from "./manifest-glob.ts";

/** A file that a glob matches. */
export interface ManifestFile {
  /** Of a name that is not UTF-8, with its bytes above ASCII as `\\xff`. */
  readonly path: string;
  /** As Git has it. */
  readonly pathBytes: Uint8Array;
  readonly oid: string;
  /** Why the file may not be sent, as a predicate: "is a symbolic link"; undefined when it may. */
  readonly refused: string | undefined;
}

/** Where listing stops. */
export interface ListingLimits {
  readonly maxFiles: number;
  /** Steps of matching for one batch; absent: so many that no honest glob takes them. */
  readonly maxSteps?: number;
}

/** Whom the files are for. */
export interface ListingOptions {
  readonly limits: ListingLimits;
  /** A file that may not be sent is listed with its reason; otherwise it refuses the commit. */
  readonly takesRefused: boolean;
}

/** Entries that are looked at for one batch; a glob that is as wide in a larger repository names a directory first. */
const MAX_ENTRIES = 1_000_000;
/** A million paths of a usual length with a usual glob take a third of it, about a second. */
const MAX_STEPS = 1_000_000_000;
/** Steps after which others have their turn in this process, some milliseconds. */
const STEPS_A_TURN = 2_000_000;
const SYMLINK = 0o120000;
const FILE_TYPE = 0o170000;

/**
 * The files of a commit that the globs match. Files in hidden directories and submodules are left out.
 *
 * @throws Fault `manifests_refused` for what the repository's owner must change: too many files, one that two globs match and, unless refused files
 * are taken, a symbolic link or a path that is not UTF-8; those of the reader
 */
export async function listManifests(
  reader: CommitReader,
  globs: readonly ManifestGlob[],
  { limits, takesRefused }: ListingOptions,
): Promise<readonly ManifestFile[]> {
  const found = new Map<string, Match>();
  let left = MAX_ENTRIES;
  let isInDoubt = false;
  const effort = new Effort(globs, limits.maxSteps ?? MAX_STEPS);
  for (const walk of walksOf(globs)) {
    const before = left;
    for await (const entries of reader.entries(walk.treePath, walk.recursive)) {
      left -= entries.length;
      if (left < 0) throw refused(`the globs look at more than ${MAX_ENTRIES} files and directories: let them begin with a directory`);
      for (const entry of entries) {
        for (const match of matchesOf(entry, walk.globs)) {
          const { path, refused: reason } = match.file;
          if (reason !== undefined && !takesRefused) throw refused(`${path} ${reason}`);
          add(found, match, limits);
        }
        const turn = effort.spent();
        if (turn) await turn;
      }
    }
    isInDoubt ||= left === before;
  }
  // "Nothing there" is also what a repository says that has just been removed: objects must not be pruned for that.
  if (isInDoubt && !(await reader.exists())) throw new Fault("gitaly_unavailable", "Gitaly: the commit is not there any more");
  return [...found.values()].map(({ file }) => file);
}

interface Match {
  readonly file: ManifestFile;
  readonly glob: ManifestGlob;
}

/** Globs that look at the same directory are looked up together. */
interface Walk {
  readonly treePath: string;
  readonly recursive: boolean;
  readonly globs: readonly ManifestGlob[];
}

function walksOf(globs: readonly ManifestGlob[]): Iterable<Walk> {
  const walks = Map.groupBy(globs, ({ treePath, recursive }) => `${recursive} ${treePath}`);
  return [...walks.values()].flatMap((some) => some.slice(0, 1).map(({ treePath, recursive }) => ({ treePath, recursive, globs: some })));
}

function add(found: Map<string, Match>, match: Match, { maxFiles }: ListingLimits): void {
  const { path } = match.file;
  const other = found.get(path);
  if (other) throw refused(`${path} is matched by "${other.glob.text}" and by "${match.glob.text}"`);
  if (found.size >= maxFiles) throw refused(`more than ${maxFiles} files match (max_number_of_files), ${path} is one more`);
  found.set(path, match);
}

function* matchesOf({ type, path: pathBytes, oid, mode }: TreeEntry, globs: readonly ManifestGlob[]): Generator<Match> {
  if (type !== TreeEntry_EntryType.BLOB) return;
  const path = Buffer.from(pathBytes).toString();
  if (isInHiddenDirectory(path)) return;
  for (const glob of globs) {
    if (!glob.matches(path)) continue;
    const isUtf8 = Buffer.from(path).equals(pathBytes);
    const reason = isUtf8 ? undefined : "has a name that is not UTF-8";
    const isLink = (mode & FILE_TYPE) === SYMLINK;
    yield { file: { path: isUtf8 ? path : escaped(pathBytes), pathBytes, oid, refused: isLink ? "is a symbolic link" : reason }, glob };
  }
}

/** A path that is not UTF-8, so that two of them stay two. */
function escaped(pathBytes: Uint8Array): string {
  return Array.from(pathBytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`)).join("");
}

/** What matching costs this process: globs and paths are others' words. */
class Effort {
  readonly #globs: readonly ManifestGlob[];
  readonly #maxSteps: number;
  readonly #before: number;
  #turn = 0;

  constructor(globs: readonly ManifestGlob[], maxSteps: number) {
    this.#globs = globs;
    this.#maxSteps = maxSteps;
    this.#before = this.#taken();
  }

  /** @returns a promise when others should have a turn. @throws Fault `manifests_refused` */
  spent(): Promise<void> | undefined {
    const steps = this.#taken() - this.#before;
    if (steps > this.#maxSteps) throw refused("the globs take too long to match: make them shorter, or let them begin with a directory");
    if (steps - this.#turn < STEPS_A_TURN) return undefined;
    this.#turn = steps;
    return setImmediate();
  }

  #taken(): number {
    return this.#globs.reduce((sum, { steps }) => sum + steps, 0);
  }
}

function refused(message: string): Fault {
  return new Fault("manifests_refused", message);
}

function isInHiddenDirectory(path: string): boolean {
  return path
    .split("/")
    .slice(0, -1)
    .some((directory) => directory.startsWith("."));
}
