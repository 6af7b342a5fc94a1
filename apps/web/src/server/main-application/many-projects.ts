import type { EnvironmentRecord, FileAnswer, MainViewer, ProjectRecord } from "./records.ts";

/** A group of projects that the viewer may see. */
export interface GroupRecord {
  /** As people call it. */
  readonly name: string;
  readonly fullPath: string;
}

/** The groups that the viewer may see; `not-supported`: this main application does not list them. */
export type GroupsAnswer = { readonly kind: "listed"; readonly groups: readonly GroupRecord[] } | { readonly kind: "not-supported" };

/** Projects of a group and of its subgroups, sorted by path. */
export interface ProjectsOfGroup {
  readonly viewer: MainViewer;
  readonly projects: readonly ProjectRecord[];
  /** There are more than are listed. */
  readonly more: boolean;
}

/** Environments of which projects are read, and what beside them. */
export interface ManyEnvironmentsRequest {
  /** In the order in which they are wanted. */
  readonly projects: readonly ProjectRecord[];
  /** Path of a file of each project that is read with them. */
  readonly filePath: string;
  /** Bytes of that file; a larger one is not read. */
  readonly maxFileBytes: number;
  /** What was deployed last is read too. */
  readonly deployments: boolean;
}

/** What was read of one project. */
export interface ProjectEnvironments {
  readonly projectPath: string;
  /**
   * - `read`: all of its environments but those that were stopped.
   * - `not_found`: there is no such project, or the viewer may not see it.
   * - `failed`: it could not be read now.
   */
  readonly result:
    | { readonly kind: "read"; readonly environments: readonly EnvironmentRecord[]; readonly file: FileAnswer }
    | { readonly kind: "not_found" | "failed" };
}

/** How far two commits are apart. */
export type CommitDistance =
  | {
      readonly kind: "compared";
      /** Commits that only the head has. */
      readonly ahead: number;
      /** Commits that only the base has. */
      readonly behind: number;
      /** The numbers are the least there are: the main application lists no more. */
      readonly atLeast: boolean;
    }
  /** The viewer may not read the repository, or a commit is not in it any more; or this main application does not compare commits. */
  | { readonly kind: "not-readable" | "not-supported" };
