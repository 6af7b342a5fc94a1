import type { DeployingTool } from "@binnacle/environment-view";

import type { TeamView } from "./team-view.ts";

/** The viewer as the main application knows them. */
export interface MainViewer {
  readonly username: string;
  readonly name: string;
}

/** An environment as the main application knows it. */
export interface EnvironmentRecord {
  readonly projectPath: string;
  /** Number inside its gid. */
  readonly number: string;
  readonly name: string;
  readonly slug: string;
  /** Lower case, "production". */
  readonly tier: string;
  readonly state: string;
  /** Milliseconds since the epoch; absent when it is not stopped by itself, or when that is not known. */
  readonly autoStopAtMs?: number | undefined;
  readonly externalUrl: string;
  /** Empty when none is set: then every namespace is in scope. */
  readonly namespace: string;
  readonly agent: AgentRecord | undefined;
  /** The main application does not report which agent an environment has. Default: it does. */
  readonly agentsNotReported?: boolean;
  /** What was deployed to it last; absent: it was not queried. */
  readonly deployment?: DeploymentRecord | undefined;
  /** What the project's own file says of it; absent: it was not read. */
  readonly team?: TeamView | undefined;
}

/** The agent of an environment. */
export interface AgentRecord {
  readonly id: bigint;
  readonly name: string;
  readonly projectPath: string;
  /** RFC 3339; `undefined` when no connection is known. */
  readonly connectedAt: string | undefined;
  /** RFC 3339: its last sign of life that the main application knows of, perhaps an hour old; `undefined` when there never was one, empty when it does not know. */
  readonly lastSeenAt: string | undefined;
}

/** What the main application says was deployed to an environment last, or why that is not known. */
export type DeploymentRecord =
  /** There was none yet; the field failed; the main application does not support the field. */
  | { readonly kind: "none" | "not-readable" | "not-supported" }
  | ({ readonly kind: "deployed"; /** When it was confirmed last, if it is not any more. */ readonly asOfMs?: number } & DeployedCommit);

/** A commit that was deployed. Texts are empty where nothing is known; they are short, of one line, and hold no credential. */
export interface DeployedCommit {
  readonly source: "ci" | "gitops";
  /** Hexadecimal, whole. */
  readonly sha: string;
  readonly ref: string;
  /** `ref` is a tag. */
  readonly isTag: boolean;
  /** Empty for who may not read the commit. */
  readonly title: string;
  /** Of the main application itself, or empty; so is `jobUrl`. */
  readonly commitUrl: string;
  readonly author: string;
  readonly byUsername: string;
  readonly byName: string;
  readonly job: string;
  readonly jobUrl: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number | undefined;
  /** Absent: a job or our own agent brought it. */
  readonly byTool?: DeployedByTool;
}

/** Another tool that brought it. */
interface DeployedByTool {
  readonly tool: DeployingTool;
  /** `namespace/name`. */
  readonly object: string;
  /** Where it says that the commit is; empty when it does not. */
  readonly repository: string;
}

/** Which file of which project. */
export interface FileQuestion {
  /** Full path of the project. */
  readonly project: string;
  readonly path: string;
  /** A commit or branch; absent: the default branch. */
  readonly ref?: string;
  /** Bytes of the file as UTF-8; a larger one is not read. */
  readonly mostBytes: number;
}

/** What the main application gave of a file. */
export type FileAnswer =
  | { readonly kind: "text"; readonly text: string }
  /** There is no such file. */
  | { readonly kind: "absent" }
  /** The viewer may not read the repository. */
  | { readonly kind: "forbidden" }
  | { readonly kind: "too-large" }
  /** It cannot be given as text. */
  | { readonly kind: "binary" };

/** A commit as its reader sees it. Texts are short and of one line. */
export interface CommitRecord {
  readonly sha: string;
  readonly title: string;
  readonly author: string;
  /** Address of the main application; empty where there is none. */
  readonly url: string;
}

/** A project of which the viewer is a member. */
export interface ProjectRecord {
  /** As the main application names it in requests. */
  readonly id: string;
  readonly name: string;
  readonly fullPath: string;
}
