import type { AgentInfo } from "../agent-info.ts";

/** An agent without a repository. */
export function agentInfoOf(agentId: bigint, changes: Partial<AgentInfo> = {}): AgentInfo {
  return { agentId, agentName: "", projectId: 1n, projectPath: "", ...changes };
}
