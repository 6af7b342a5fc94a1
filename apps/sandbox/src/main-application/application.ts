import type { Logger } from "@binnacle/telemetry";

import type { CommittedFile, CommittedResult } from "../gitaly/commit-file.ts";
import type { BlobPlace } from "../gitaly/read-blob.ts";
import type { ReadCommit } from "../gitaly/read-commit.ts";
import type { ConnectedAgents } from "./connected-agents.ts";
import type { Sessions } from "./sessions.ts";
import type { World } from "./world.ts";

/** Where a project's repository is read. */
interface GitalyLocation {
  /** "tcp://127.0.0.1:port" */
  readonly address: string;
  readonly token: string;
}

/** What every part of the main application's stand-in works with. */
export interface Application {
  readonly world: World;
  readonly sessions: Sessions;
  readonly connectedAgents: ConnectedAgents;
  /** Address people see, without a trailing slash. */
  readonly externalUrl: string;
  /** Address of the dashboard: the only place a sign-in may return to. */
  readonly dashboardUrl: string;
  /** Public address of kas's k8s-proxy; `_gitlab_kas` is sent there. */
  readonly kasUrl: string;
  /** Decoded secret shared with kas, for the JWT in `Gitlab-Kas-Api-Request`. */
  readonly kasSecret: Uint8Array;
  readonly gitaly: GitalyLocation;
  /** A file of a project, "group/app", on its default branch; `undefined` when there is none. */
  readonly readFile: (fullPath: string, path: string) => Promise<Buffer | undefined>;
  /** A file of a project as a commit or branch has it; `undefined` when there is none. */
  readonly readBlob: (fullPath: string, place: BlobPlace) => Promise<Buffer | undefined>;
  /** A commit of a project by its id, whole or begun; `undefined` when there is none. */
  readonly readCommit: (fullPath: string, id: string) => Promise<ReadCommit | undefined>;
  /** The commit that changed a path last, on the default branch; `undefined` where there is none. */
  readonly lastCommitOf: (fullPath: string, path: string) => Promise<string | undefined>;
  readonly commitFile: (fullPath: string, file: CommittedFile) => Promise<CommittedResult>;
  readonly log: Logger;
}
