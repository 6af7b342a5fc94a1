import type { Secret } from "@binnacle/telemetry";

import type { MainViewer } from "./records.ts";

/** An agent of a project and where it stands. Times are milliseconds since the epoch. */
export interface ProjectAgent {
  readonly id: bigint;
  readonly name: string;
  readonly createdAtMs: number | undefined;
  /** When each connected process connected, oldest first; `undefined`: it knows of no connections, only kas does. */
  readonly connectedAtMs: readonly number[] | undefined;
  /** Its last sign of life that the main application knows of. */
  readonly lastSeenAtMs: number | undefined;
  /** Active tokens, newest first; `undefined`: the viewer may not see them. */
  readonly tokens: readonly AgentTokenRecord[] | undefined;
}

/** A token without its secret. Texts are short and of one line. */
export interface AgentTokenRecord {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number | undefined;
  /** Username; empty: not known. */
  readonly createdBy: string;
  readonly lastUsedAtMs: number | undefined;
}

/** Agents as one viewer sees them. */
export interface AgentsOfProject {
  readonly viewer: MainViewer;
  readonly projectPath: string;
  /** By name. */
  readonly agents: readonly ProjectAgent[];
  /** There are more. */
  readonly isTruncated: boolean;
  /** Whether the viewer may change agents and tokens, as far as is known: the main application decides when they do. */
  readonly mayAdminister: boolean;
  /** Agents, their tokens and who may use them are entries of files that people edit: methods that change something throw `invalid_request`. */
  readonly inFiles?: boolean;
}

/** One agent by name. */
export interface AgentName {
  readonly projectPath: string;
  readonly name: string;
}

/**
 * Agents of projects, read and changed as the viewer. Methods throw Fault `session_ended`, `main_application_unavailable`, and `not_found` for
 * a project or agent that there is not or that the viewer may not see. Those that change something also throw `environment_forbidden`, when
 * the viewer may not, and `invalid_request` with the main application's own sentence.
 */
export interface AgentsAccess {
  agents(projectPath: string, signal: AbortSignal): Promise<AgentsOfProject>;
  agent(of: AgentName, signal: AbortSignal): Promise<Omit<AgentsOfProject, "agents" | "isTruncated"> & { readonly agent: ProjectAgent }>;
  registerAgent(of: AgentName, signal: AbortSignal): Promise<{ readonly id: bigint }>;
  /** @returns the secret, which is never readable again */
  createAgentToken(
    of: { readonly projectPath: string; readonly agentId: bigint; readonly tokenName: string },
    signal: AbortSignal,
  ): Promise<Secret>;
  revokeAgentToken(of: { readonly projectPath: string; readonly tokenId: string }, signal: AbortSignal): Promise<void>;
  deleteAgent(of: { readonly projectPath: string; readonly agentId: bigint }, signal: AbortSignal): Promise<void>;
}
