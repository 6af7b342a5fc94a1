import type { Secret } from "@binnacle/telemetry";

import type { AgentsAccess } from "./agents.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Credential } from "./credential.ts";
import type { CommitDistance, GroupsAnswer, ManyEnvironmentsRequest, ProjectEnvironments, ProjectsOfGroup } from "./many-projects.ts";
import type { CommitRecord, EnvironmentRecord, FileAnswer, FileQuestion, MainViewer, ProjectRecord } from "./records.ts";
import type { SettingsAccess } from "./settings-access.ts";

/** For which agent a viewer's requests to kas are, and the environment whose page they come from. */
export interface KasDoor {
  readonly projectPath: string;
  /** Number of the environment, from its gid; "new" where the project has none. */
  readonly environmentNumber: string;
  readonly agentId: bigint;
}

/** Whose access it is. */
export interface AccessOptions {
  readonly credential: Credential;
  /** Names the session of ours that it came by. Absent: it is the main application's. */
  readonly session?: string | undefined;
  /** Where the viewer's request came from; kas and the main application receive it. Absent: they see this process. */
  readonly clientAddress?: string | undefined;
  /** Called whenever the main application answers whose credential it is. May throw a Fault, which the request then throws. */
  readonly identified?: ((username: string) => void) | undefined;
  /** Called when the main application no longer accepts the session of a cookie. */
  readonly over?: (() => void) | undefined;
}

/** Makes tokens for the k8s-proxy alone, as a viewer who signed in with an access token. */
export interface ProxyTokens {
  /**
   * One more, which ends within about a day.
   *
   * @returns `undefined` when the main application does not make one for this viewer: it is too old, or the access token may not
   * @throws Fault `main_application_unavailable`
   */
  create(accessToken: Secret, ask: { readonly clientAddress: string }): Promise<CreatedProxyToken | undefined>;
  /** It is to be accepted no longer. Never rejects. */
  revoke(accessToken: Secret, id: string): Promise<void>;
}

/** A token for the k8s-proxy. */
export interface CreatedProxyToken {
  readonly id: string;
  readonly token: Secret;
  /** When it ends, in milliseconds since the epoch. */
  readonly endsAtMs: number;
}

/**
 * The main application, which has users, projects, environments and agents: GitLab, or another provider (ADR 38). It has no identity of its
 * own here: everything is requested as a viewer.
 */
export interface MainApplication {
  /** Where people find it. */
  readonly url: string;
  readonly capabilities: Capabilities;
  /** As which credential it takes a sign-in by a provider (`sign_in.oidc`). */
  readonly signIn: "oauth" | "oidc";
  /** Tokens for the k8s-proxy beside access tokens; absent: it has none, or the provider's tokens serve there too. */
  readonly proxyTokens?: ProxyTokens | undefined;
  open(options: AccessOptions): ViewerAccess;
}

/**
 * What one viewer may read of the main application, and their access to kas. Everything it obtains is the viewer's own; the server adds no
 * right. Methods throw Fault `session_ended` when the credential is not accepted (any more), and `main_application_unavailable`.
 */
export interface ViewerAccess extends SettingsAccess, AgentsAccess {
  /** Names the credential; equal for two tabs of one session. */
  readonly key: string;
  /** Names the session that signing out here ends; `undefined` for one of the main application. */
  readonly session: string | undefined;
  /** Where people find the main application. */
  readonly mainApplicationUrl: string;
  /** The viewer has no credential for clusters, and may paste one; all else works. It may change while the access is used. */
  readonly needsClusterToken?: boolean;

  /** The owner of the credential. */
  viewer(signal: AbortSignal): Promise<MainViewer>;

  /** Projects of which the viewer is a member, sorted by path. */
  projects(signal: AbortSignal): Promise<{ readonly viewer: MainViewer; readonly projects: readonly ProjectRecord[] }>;

  /** One environment. @throws Fault also `not_found`: there is none, or the viewer may not see it */
  environment(
    names: { readonly projectPath: string; readonly environment: string },
    signal: AbortSignal,
  ): Promise<{ readonly viewer: MainViewer; readonly environment: EnvironmentRecord }>;

  /** All environments of a project but those that were stopped. @throws Fault also `not_found` */
  environments(
    projectPath: string,
    signal: AbortSignal,
  ): Promise<{ readonly viewer: MainViewer; readonly environments: readonly EnvironmentRecord[] }>;

  /** Groups that the viewer may see, sorted by path. */
  groups(signal: AbortSignal): Promise<GroupsAnswer>;

  /** Projects of a group and of its subgroups. @throws Fault also `not_found`: there is no such group, or the viewer may not see it */
  projectsOfGroup(group: string, signal: AbortSignal): Promise<ProjectsOfGroup>;

  /**
   * Environments of many projects, a hundred per request and four requests at a time. `found` receives each project once, as soon as it was
   * read.
   *
   * @throws Fault only when nothing can be read at all: `session_ended`
   */
  environmentsOf(
    request: ManyEnvironmentsRequest,
    found: (projects: readonly ProjectEnvironments[]) => void,
    signal: AbortSignal,
  ): Promise<void>;

  /** How far `head` is from `base`. */
  compare(of: { readonly project: string; readonly base: string; readonly head: string }, signal: AbortSignal): Promise<CommitDistance>;

  /** A file of a project. */
  file(question: FileQuestion, signal: AbortSignal): Promise<FileAnswer>;

  /** A commit of a project; `undefined` for a viewer who may not read it. */
  commit(of: { readonly project: string; readonly sha: string }, signal: AbortSignal): Promise<CommitRecord | undefined>;

  /**
   * Headers with which kas accepts requests to one agent.
   *
   * @param request.renew after a 401: nothing that is cached is used
   * @returns `undefined` when there is nothing to renew
   */
  kasHeaders(
    door: KasDoor,
    request: { readonly renew: boolean; readonly signal: AbortSignal },
  ): Promise<Record<string, string> | undefined>;
}
