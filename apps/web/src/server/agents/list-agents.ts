import { create } from "@bufbuild/protobuf";
import {
  AgentSchema,
  AgentTokenSchema,
  GetAgentResponseSchema,
  ListAgentsResponseSchema,
  type Agent,
  type GetAgentRequest,
  type GetAgentResponse,
  type ListAgentsRequest,
  type ListAgentsResponse,
} from "@binnacle/proto/dashboard-agents";
import { timeField } from "@binnacle/proto/wire-values";

import { toViewer } from "../environment/environment-messages.ts";
import type { ProjectAgent } from "../main-application/agents.ts";
import type { EnvironmentRecord } from "../main-application/records.ts";
import { agentFileOf, filePathOf, MAX_FILE_BYTES } from "./agent-file.ts";
import { accessOf, type AgentCall, type AgentsContext } from "./agents-context.ts";

const MAX_ENVIRONMENTS = 200;

/** The agents of a project. @throws Fault as `ViewerAccess.agents` */
export async function listAgents(context: AgentsContext, call: AgentCall<ListAgentsRequest>): Promise<ListAgentsResponse> {
  const viewerAccess = accessOf(call);
  const { projectPath } = call.request;
  const [found, { environments }] = await Promise.all([
    viewerAccess.agents(projectPath, call.signal),
    viewerAccess.environments(projectPath, call.signal),
  ]);
  return create(ListAgentsResponseSchema, {
    viewer: toViewer(found.viewer, undefined),
    agents: found.agents.map((agent) => toAgent(agent, environments)),
    mayAdminister: found.mayAdminister,
    truncated: found.isTruncated,
    kasAddress: context.agents.kasAddress,
    inFiles: found.inFiles === true,
  });
}

/** One agent, with tokens and the configuration file of the default branch. @throws Fault as `ViewerAccess.agent` */
export async function getAgent(context: AgentsContext, call: AgentCall<GetAgentRequest>): Promise<GetAgentResponse> {
  const viewerAccess = accessOf(call);
  const { projectPath, name } = call.request;
  const { signal } = call;
  const found = await viewerAccess.agent({ projectPath, name }, signal);
  const path = filePathOf(found.agent.name);
  const [{ environments }, file] = await Promise.all([
    viewerAccess.environments(projectPath, signal),
    viewerAccess.file({ project: found.projectPath, path, mostBytes: MAX_FILE_BYTES }, signal),
  ]);
  return create(GetAgentResponseSchema, {
    viewer: toViewer(found.viewer, undefined),
    agent: toAgent(found.agent, environments),
    mayAdminister: found.mayAdminister,
    tokensHidden: found.agent.tokens === undefined,
    tokens: (found.agent.tokens ?? []).map(({ id, name: token, createdBy, createdAtMs, lastUsedAtMs }) =>
      create(AgentTokenSchema, {
        id,
        name: token,
        createdBy,
        ...timeField("createdAt", createdAtMs),
        ...timeField("lastUsedAt", lastUsedAtMs),
      }),
    ),
    ...(found.inFiles !== true && { file: agentFileOf(path, file) }),
    kasAddress: context.agents.kasAddress,
    inFiles: found.inFiles === true,
  });
}

/** An agent as it is sent. */
export function toAgent(agent: ProjectAgent, environments: readonly EnvironmentRecord[]): Agent {
  return create(AgentSchema, {
    name: agent.name,
    id: agent.id,
    ...timeField("createdAt", agent.createdAtMs),
    connections: agent.connectedAtMs?.length ?? 0,
    ...timeField("connectedAt", agent.connectedAtMs?.at(-1)),
    connectionsUnknown: agent.connectedAtMs === undefined,
    ...timeField("lastSeenAt", agent.lastSeenAtMs),
    tokens: agent.tokens?.length ?? 0,
    environments: environments
      .filter((environment) => environment.agent?.id === agent.id)
      .map(({ name }) => name)
      .toSorted()
      .slice(0, MAX_ENVIRONMENTS),
  });
}
