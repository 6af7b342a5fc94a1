import { Fault, type Clock } from "@binnacle/rpc";

import type { FileAnswer } from "../main-application/records.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { FreshAnswers } from "../base/fresh-answers.ts";

/** Larger files are not compared. */
const MAX_FILE_BYTES = 256 * 1024;
/** Who may read a project no more is shown its files no longer than this. */
const FRESH_MS = 60_000;
/** A file that could not be read is requested again after this time. */
const FAILED_MS = 5_000;
/** The main application answers an HTTP request within 15 s, or not at all. */
const LIMIT_MS = 15_000;
const MAX_FILES = 50;

/** A file of a commit. */
export interface ManifestFile {
  /** Full path of the project. */
  readonly project: string;
  /** The whole id. */
  readonly commitId: string;
  readonly path: string;
}

/** What is to be had of a file. */
export type ManifestFileAnswer = FileAnswer | { readonly kind: "unanswered" };

/** Files of manifest projects, as each viewer may read them: what one has read is never shown to another. */
export class ManifestFiles {
  /** By credential, project, commit and path. */
  readonly #files: FreshAnswers<ManifestFileAnswer>;

  constructor(clock: Clock) {
    this.#files = new FreshAnswers(clock, MAX_FILES);
  }

  /** The file, read at most a minute ago. @throws Fault `session_ended` */
  read(access: Pick<ViewerAccess, "key" | "file">, { project, commitId, path }: ManifestFile): Promise<ManifestFileAnswer> {
    const key = [access.key, project.toLowerCase(), commitId, path].join("\0");
    const question = { project, path, ref: commitId, mostBytes: MAX_FILE_BYTES };
    return this.#files.read(key, async () => {
      try {
        return { answer: await access.file(question, AbortSignal.timeout(LIMIT_MS)), freshMs: FRESH_MS };
      } catch (error) {
        if (!(error instanceof Fault) || error.reason === "session_ended") throw error;
        return { answer: { kind: "unanswered" }, freshMs: FAILED_MS };
      }
    });
  }
}
