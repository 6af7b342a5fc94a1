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

/** The repository of a project, how to reach it, and its branch. */
export interface ProjectRepository {
  readonly gitaly: GitalyAccess;
  readonly repository: RepositoryName;
  /** Empty: HEAD decides. */
  readonly defaultBranch: string;
}

/** The agent that a token belongs to. */
export interface AgentInfo {
  readonly agentId: bigint;
  readonly agentName: string;
  /** The project that owns the agent. */
  readonly projectId: bigint;
  readonly projectPath: string;
  /** Where the project's files are; absent without Git. */
  readonly source?: ProjectRepository;
  /** When the main application was queried, in milliseconds of the epoch: the answer proves nothing about later. Absent: just now. */
  readonly provedAtMs?: number;
}

/** Where a question comes from, and how old its answer may be. */
export interface ProofOptions {
  /** The client's address, by which bad credentials are counted. */
  readonly address?: string | undefined;
  /** Answers to questions of longer ago are not taken; absent: as long as answers are kept. */
  readonly maxAgeMs?: number | undefined;
}

/** Tells which agent a token belongs to. */
export interface AgentAuthenticator {
  /**
   * @param authorization value of the `authorization` metadata, "Bearer <token>"; undefined when it is missing
   * @throws Fault `token_missing`, `token_unknown`, `agent_forbidden`, `not_found`, `main_application_unavailable`, `rate_limited`
   */
  authenticate(authorization: string | undefined, signal: AbortSignal, options?: ProofOptions): Promise<AgentInfo>;
}

/** An authenticator that knows when a token that was good is not good any more. */
export interface AgentTokens extends AgentAuthenticator {
  /** @param listener receives the agent whose token was good and is refused now */
  onWithdrawn(listener: (agent: AgentInfo) => void): void;
}
