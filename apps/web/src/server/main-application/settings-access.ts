import type { AgentRecord, FileAnswer, MainViewer } from "./records.ts";

/** What an instance of the main application, at its version, can do for settings. Each is false where it lacks the field or the mutation. */
export interface SettingsCapabilities {
  /** An agent can be set on an environment. */
  readonly agent: boolean;
  /** A namespace can be set on an environment. */
  readonly namespace: boolean;
  /** A Flux resource can be set on an environment. */
  readonly flux: boolean;
  /** Agents that are shared for users can be listed. */
  readonly sharedAgents: boolean;
  readonly create: boolean;
  readonly stop: boolean;
  readonly remove: boolean;
  /** Files can be committed. */
  readonly commit: boolean;
  /** A commit can require that the file has not changed meanwhile. */
  readonly commitPrecondition: boolean;
}

/** What each capability needs, in the words of the provider, "GitLab 16.3". */
export type CapabilityVersions = Readonly<Record<keyof SettingsCapabilities, string>>;

/** An agent of which a project may know. */
export interface SharedAgent extends Pick<AgentRecord, "id" | "name"> {
  /** Empty when the viewer may not see its project. */
  readonly projectPath: string;
  /** It is shared for users; false: for CI jobs only. */
  readonly forUsers: boolean;
}

/** An environment with everything that its settings have. */
export interface EnvironmentSettingsRecord {
  /** Number inside its gid. */
  readonly number: string;
  readonly name: string;
  /** "available", "stopping" or "stopped". */
  readonly state: string;
  /** Empty when none is set. */
  readonly namespace: string;
  /** Empty when none is set. */
  readonly fluxResourcePath: string;
  /** `undefined`: none is set, or none that the viewer may know of. */
  readonly agent: SharedAgent | undefined;
  /** RFC 3339; empty when it does not stop by itself. */
  readonly autoStopAt: string;
  /** What the viewer may do with it. */
  readonly may: { readonly update: boolean; readonly stop: boolean; readonly remove: boolean };
}

/** Settings as the main application has them. */
export interface SettingsRecord {
  readonly viewer: MainViewer;
  readonly projectPath: string;
  /** `undefined` for a new environment. */
  readonly environment: EnvironmentSettingsRecord | undefined;
  /** By project and name, at most 1,000; those of users first. */
  readonly agents: readonly SharedAgent[];
  /** What the viewer may do in the project. */
  readonly may: { readonly create: boolean; readonly push: boolean };
  readonly capabilities: SettingsCapabilities;
  /** `undefined`: no version can, for environments are entries of files that people edit. */
  readonly versions: CapabilityVersions | undefined;
}

/** What an environment is changed to; what is absent is not sent. */
export interface EnvironmentChange {
  /** `undefined` removes it; absent: it stays. */
  readonly agentId?: bigint | undefined;
  /** Empty removes it. */
  readonly namespace?: string;
  /** Empty removes it. */
  readonly fluxResourcePath?: string;
}

/** An environment to create. */
export interface NewEnvironment extends EnvironmentChange {
  readonly name: string;
  readonly externalUrl?: string;
  /** Lower case, "production". */
  readonly tier?: string;
}

/** What became of a write. */
export type WriteResult =
  | { readonly kind: "done"; /** Empty where there is none. */ readonly url: string }
  /** Committed to a branch of its own; the address makes a merge request of it. */
  | { readonly kind: "proposed"; readonly branch: string; readonly url: string }
  /** It has no effect. `why`: one line, from the main application. */
  | { readonly kind: "rejected"; readonly why: string }
  /** The file has changed since. */
  | { readonly kind: "conflict" }
  /** There was no answer: it may have been done. */
  | { readonly kind: "unknown" };

/** A file as it is read to be edited. */
export interface EditableFile {
  readonly answer: FileAnswer;
  /** The commit that changed it last; empty where that is not known, or there is no file. */
  readonly lastCommitId: string;
  /** The default branch; empty in a repository without a commit. */
  readonly branch: string;
}

/** One file to commit. */
export interface FileCommit {
  readonly project: string;
  readonly path: string;
  readonly text: string;
  readonly message: string;
  /** The branch that was read. */
  readonly branch: string;
  /** There is no such file yet. */
  readonly isNew: boolean;
  /** As it was read; empty: no precondition. */
  readonly lastCommitId: string;
}

/**
 * What a viewer may read and write of the settings of environments. The main application judges every right; writes are sent once. Methods
 * throw Fault `session_ended`; reads also `main_application_unavailable` and `not_found`.
 */
export interface SettingsAccess {
  /** Settings of an environment; without a name, of one to be created. */
  settings(names: { readonly projectPath: string; readonly environment: string | undefined }, signal: AbortSignal): Promise<SettingsRecord>;

  changeEnvironment(
    of: { readonly projectPath: string; readonly number: string },
    change: EnvironmentChange,
    signal: AbortSignal,
  ): Promise<WriteResult>;

  createEnvironment(projectPath: string, environment: NewEnvironment, signal: AbortSignal): Promise<WriteResult>;

  stopEnvironment(of: { readonly projectPath: string; readonly number: string }, signal: AbortSignal): Promise<WriteResult>;

  deleteEnvironment(of: { readonly projectPath: string; readonly number: string }, signal: AbortSignal): Promise<WriteResult>;

  /** A file on the default branch, as it is now. */
  editableFile(
    of: { readonly project: string; readonly path: string; readonly mostBytes: number },
    signal: AbortSignal,
  ): Promise<EditableFile>;

  /** Commits one file to the branch, or to a new one where the viewer may not push to it. */
  commitFile(commit: FileCommit, signal: AbortSignal): Promise<WriteResult>;
}
