import { Fault, type Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import { queryBlob, type BlobAnswer } from "../repository/query-blob.ts";
import type { ViewerAccess } from "../session/viewer-access.ts";

/** Larger files are not compared. */
const MOST_FILE_BYTES = 256 * 1024;
/** Who may read a project no more is shown its files no longer than this. */
const FRESH_MS = 60_000;
/** What could not be read is asked again so soon. */
const FAILED_MS = 5_000;
/** The main application answers an HTTP request within 15 s, or not at all. */
const LIMIT_MS = 15_000;
const MOST_FILES = 50;

/** A file of a commit. */
export interface ManifestFile {
  /** Full path of the project. */
  readonly project: string;
  /** The whole id. */
  readonly commitId: string;
  readonly path: string;
}

/** What is to be had of a file. */
export type ManifestFileAnswer = BlobAnswer | { readonly kind: "unanswered" };

interface Known {
  readonly answer: ManifestFileAnswer;
  readonly untilMs: number;
}

/** Files of manifest projects, as each viewer may read them: what one has read is never shown to another. */
export class ManifestFiles {
  readonly #clock: Clock;
  /** By credential, project, commit and path. */
  readonly #known = new LRUCache<string, Known>({ max: MOST_FILES });
  readonly #underWay = new Map<string, Promise<ManifestFileAnswer>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The file, read at most a minute ago. @throws Fault `session_ended` */
  async read(access: Pick<ViewerAccess, "key" | "graphql">, file: ManifestFile): Promise<ManifestFileAnswer> {
    const key = [access.key, file.project.toLowerCase(), file.commitId, file.path].join("\0");
    const known = this.#known.get(key);
    const leftMs = (known?.untilMs ?? 0) - this.#clock.now();
    // Whoever set the clock back is not believed for longer.
    if (known !== undefined && leftMs > 0 && leftMs <= FRESH_MS) return known.answer;
    return this.#underWay.get(key) ?? this.#ask(key, access, file);
  }

  #ask(key: string, access: Pick<ViewerAccess, "graphql">, { project, commitId, path }: ManifestFile): Promise<ManifestFileAnswer> {
    const question = { project, path, ref: commitId, mostBytes: MOST_FILE_BYTES, projectPath: "" };
    // Shared by all who wait for it: nobody's leaving may abort it.
    const asking = queryBlob(access, question, AbortSignal.timeout(LIMIT_MS))
      .catch((error: unknown): ManifestFileAnswer => {
        if (error instanceof Fault && error.reason !== "session_ended") return { kind: "unanswered" };
        throw error;
      })
      .then((answer) => {
        const untilMs = this.#clock.now() + (answer.kind === "unanswered" ? FAILED_MS : FRESH_MS);
        this.#known.set(key, { answer, untilMs });
        return answer;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, asking);
    return asking;
  }
}
