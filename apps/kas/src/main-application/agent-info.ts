/** Where to read a project's repository. */
export interface GitalyAccess {
  readonly address: string;
  readonly token: string;
  readonly features: Readonly<Record<string, string>>;
}

/** A repository inside Gitaly. */
export interface RepositoryName {
  readonly storageName: string;
  readonly relativePath: string;
  readonly glRepository: string;
  readonly glProjectPath: string;
}

/** What the main application says of an agent token. */
export interface AgentInfo {
  readonly agentId: bigint;
  readonly agentName: string;
  readonly projectId: bigint;
  readonly gitaly: GitalyAccess;
  readonly repository: RepositoryName;
  /** Empty: HEAD decides. */
  readonly defaultBranch: string;
}

/** Tells which agent a token belongs to. */
export interface AgentAuthenticator {
  /**
   * @param authorization value of the `authorization` metadata, "Bearer <token>"; undefined when it is missing
   * @throws Fault `token_missing`, `token_unknown`, `agent_forbidden`, `main_application_unavailable`
   */
  authenticate(authorization: string | undefined, signal: AbortSignal): Promise<AgentInfo>;
}
