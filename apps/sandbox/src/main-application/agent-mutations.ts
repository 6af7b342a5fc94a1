import { randomBytes } from "node:crypto";

import type { Agent, User, World } from "./world.ts";

/** As GitLab's, whose agent tokens begin with this. */
const TOKEN_PREFIX = "glagent-";
const AGENT_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_TOKENS = 2;

/**
 * The mutations of agents, for maintainers of their project: what others request is null, as what there is not.
 *
 * @see gitlab-org/gitlab, `Mutations::Clusters::Agents` and `Mutations::Clusters::AgentTokens`
 */
export function agentMutations(world: World, user: User, nodeOf: (agent: Agent) => Record<string, unknown>): Record<string, unknown> {
  const maintains = (projectId: number | undefined): boolean => world.project(projectId ?? 0)?.members.get(user.id) === "maintainer";
  const agentOf = (gid: string): Agent | undefined => {
    const agent = world.agent(numberOf(gid, "Clusters::Agent"));
    return maintains(agent?.projectId) ? agent : undefined;
  };
  return {
    createClusterAgent: ({ input: { projectPath, name } }: Input<{ projectPath: string; name: string }>) => {
      const project = world.projectByPath(projectPath);
      if (project === undefined || !maintains(project.id)) return null;
      if (!AGENT_NAME.test(name)) return { clusterAgent: null, errors: ['Name can contain only lowercase letters, digits, and "-"'] };
      try {
        return { clusterAgent: nodeOf(world.registerAgent(project.id, name)), errors: [] };
      } catch (error) {
        return { clusterAgent: null, errors: [error instanceof Error ? error.message : String(error)] };
      }
    },
    clusterAgentDelete: ({ input: { id } }: Input<{ id: string }>) => {
      const agent = agentOf(id);
      if (agent === undefined) return null;
      world.deleteAgent(agent.id);
      return { errors: [] };
    },
    clusterAgentTokenCreate: ({ input: { clusterAgentId, name } }: Input<{ clusterAgentId: string; name: string }>) => {
      const agent = agentOf(clusterAgentId);
      if (agent === undefined) return null;
      if (world.agentTokens(agent.id).length >= MAX_TOKENS)
        return { secret: null, token: null, errors: ["An agent can have only two active tokens at a time"] };
      const secret = `${TOKEN_PREFIX}${randomBytes(32).toString("base64url")}`;
      const id = world.addAgentToken({ agentId: agent.id, name, secret, createdBy: user });
      return { secret, token: { id: `gid://gitlab/Clusters::AgentToken/${id}`, name }, errors: [] };
    },
    clusterAgentTokenRevoke: ({ input: { id } }: Input<{ id: string }>) => {
      const tokenId = numberOf(id, "Clusters::AgentToken");
      if (!maintains(world.agentOfToken(tokenId)?.projectId)) return null;
      world.revokeAgentToken(tokenId);
      return { errors: [] };
    },
  };
}

interface Input<T> {
  readonly input: T;
}

/** The number of a gid of this type; 0 for any other. */
function numberOf(gid: string, type: string): number {
  const prefix = `gid://gitlab/${type}/`;
  return gid.startsWith(prefix) && /^\d{1,9}$/.test(gid.slice(prefix.length)) ? Number(gid.slice(prefix.length)) : 0;
}
