import type { Agents } from "@binnacle/proto/dashboard-agents";
import type { ServiceImpl } from "@connectrpc/connect";

import { getAgentAccess, testAgentAccess } from "./agents/agent-access.ts";
import type { AgentsContext } from "./agents/agents-context.ts";
import { createAgentToken, deleteAgent, registerAgent, revokeAgentToken } from "./agents/change-agents.ts";
import { getAgent, listAgents } from "./agents/list-agents.ts";
import { watchAgent } from "./agents/watch-agent.ts";
import { changing, logsWithin, within, type CallGate } from "./call-gate.ts";

/** `dashboard.v1.Agents`: what changes something is guarded as actions are. */
export function createAgentsService(gate: CallGate & { readonly context: AgentsContext }): ServiceImpl<typeof Agents> {
  const { context } = gate;
  return {
    listAgents: (request, call) => within(gate, call, (running) => listAgents(context, { ...running, request })),
    getAgent: (request, call) => within(gate, call, (running) => getAgent(context, { ...running, request })),
    watchAgent: (request, call) => logsWithin(gate, call, (running) => watchAgent(context, { ...running, request })),
    getAgentAccess: (request, call) => within(gate, call, (running) => getAgentAccess(context, { ...running, request })),
    testAgentAccess: (request, call) => within(gate, call, (running) => testAgentAccess(context, { ...running, request })),
    registerAgent: (request, call) => changing(gate, call, (running) => registerAgent(context, { ...running, request })),
    createAgentToken: (request, call) => changing(gate, call, (running) => createAgentToken(context, { ...running, request })),
    revokeAgentToken: (request, call) => changing(gate, call, (running) => revokeAgentToken(context, { ...running, request })),
    deleteAgent: (request, call) => changing(gate, call, (running) => deleteAgent(context, { ...running, request })),
  };
}
