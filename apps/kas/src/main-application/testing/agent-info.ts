import type { AgentInfo } from "../agent-info.ts";

/** What the main application says of an agent, with no repository behind it. */
export function agentInfoOf(agentId: bigint, changes: Partial<AgentInfo> = {}): AgentInfo {
  return {
    agentId,
    agentName: "",
    projectId: 1n,
    gitaly: { address: "", token: "", features: {} },
    repository: { storageName: "", relativePath: "", glRepository: "", glProjectPath: "" },
    defaultBranch: "",
    ...changes,
  };
}
