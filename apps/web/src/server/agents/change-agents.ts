import { randomUUID } from "node:crypto";

import { create } from "@bufbuild/protobuf";
import {
  CreateAgentTokenResponseSchema,
  DeleteAgentResponseSchema,
  RegisterAgentResponseSchema,
  RevokeAgentTokenResponseSchema,
  type CreateAgentTokenRequest,
  type CreateAgentTokenResponse,
  type DeleteAgentRequest,
  type DeleteAgentResponse,
  type RegisterAgentRequest,
  type RegisterAgentResponse,
  type RevokeAgentTokenRequest,
  type RevokeAgentTokenResponse,
} from "@binnacle/proto/dashboard-agents";
import { toWordsMessage } from "@binnacle/proto/words";
import { Fault } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import { MessageFault, wordsOfFault } from "../base/message-fault.ts";
import type { ProjectAgent } from "../main-application/agents.ts";
import { accessOf, type AgentCall, type AgentsContext } from "./agents-context.ts";
import { toAgent } from "./list-agents.ts";

/** @see gitlab-org/gitlab, `Clusters::Agent`: a DNS label */
const AGENT_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_TOKEN_NAME = 255;
/** Of the token that is created with its agent. */
const FIRST_TOKEN = "first";

/**
 * Registers an agent and creates its first token. When only the token fails the agent stays, and the response says why.
 *
 * @throws Fault as `ViewerAccess.registerAgent`
 */
export async function registerAgent(context: AgentsContext, call: AgentCall<RegisterAgentRequest>): Promise<RegisterAgentResponse> {
  const viewerAccess = accessOf(call);
  const { projectPath, name } = call.request;
  const { signal } = call;
  if (!AGENT_NAME.test(name)) throw new MessageFault("invalid_request", words("agents/bad-name"));
  const { username } = await viewerAccess.viewer(signal);
  const record = { username, projectPath, resource: "agents", name };
  const { id } = await audited(context, { ...record, verb: "create", agentIdOf: (made) => made.id }, () =>
    viewerAccess.registerAgent({ projectPath, name }, signal),
  );
  const made: ProjectAgent = {
    id,
    name,
    createdAtMs: context.clock.now(),
    connectedAtMs: [],
    lastSeenAtMs: undefined,
    tokens: undefined,
  };
  const agent = toAgent(made, []);
  try {
    const token = { ...record, verb: "create", resource: "agenttokens", agentIdOf: () => id };
    const secret = await audited(context, token, () =>
      viewerAccess.createAgentToken({ projectPath, agentId: id, tokenName: FIRST_TOKEN }, signal),
    );
    return create(RegisterAgentResponseSchema, { agent, secret: secret.reveal() });
  } catch (error) {
    if (!(error instanceof Fault)) context.log.error({ error }, "creating the first token of an agent failed");
    const why = error instanceof Fault ? wordsOfFault(error) : words("problem/unknown");
    return create(RegisterAgentResponseSchema, { agent, tokenProblem: toWordsMessage(why) });
  }
}

/** Creates one more token. @throws Fault as `ViewerAccess.createAgentToken` */
export async function createAgentToken(
  context: AgentsContext,
  call: AgentCall<CreateAgentTokenRequest>,
): Promise<CreateAgentTokenResponse> {
  const { projectPath, tokenName } = call.request;
  if (tokenName.trim() === "" || tokenName.length > MAX_TOKEN_NAME)
    throw new MessageFault("invalid_request", words("agents/bad-token-name"));
  const secret = await changing(context, call, {
    verb: "create",
    resource: "agenttokens",
    work: (access, { id }) => access.createAgentToken({ projectPath, agentId: id, tokenName }, call.signal),
  });
  return create(CreateAgentTokenResponseSchema, { secret: secret.reveal() });
}

/** Revokes a token of this agent. @throws Fault as `ViewerAccess.revokeAgentToken`; `not_found`: it is none of this agent */
export async function revokeAgentToken(
  context: AgentsContext,
  call: AgentCall<RevokeAgentTokenRequest>,
): Promise<RevokeAgentTokenResponse> {
  const { projectPath, tokenId } = call.request;
  await changing(context, call, {
    verb: "delete",
    resource: "agenttokens",
    work: (access, { tokens }) => {
      if (!tokens?.some(({ id }) => id === tokenId)) throw new MessageFault("not_found", words("agents/no-token"));
      return access.revokeAgentToken({ projectPath, tokenId }, call.signal);
    },
  });
  return create(RevokeAgentTokenResponseSchema);
}

/** Deletes an agent. @throws Fault as `ViewerAccess.deleteAgent` */
export async function deleteAgent(context: AgentsContext, call: AgentCall<DeleteAgentRequest>): Promise<DeleteAgentResponse> {
  const { projectPath } = call.request;
  await changing(context, call, {
    verb: "delete",
    resource: "agents",
    work: (access, { id }) => access.deleteAgent({ projectPath, agentId: id }, call.signal),
  });
  return create(DeleteAgentResponseSchema);
}

/** Changes something of an agent that the viewer sees, with its record. */
async function changing<T>(
  context: AgentsContext,
  call: AgentCall<{ readonly projectPath: string; readonly name: string }>,
  change: {
    readonly verb: string;
    readonly resource: string;
    readonly work: (access: ReturnType<typeof accessOf>, agent: ProjectAgent) => Promise<T>;
  },
): Promise<T> {
  const viewerAccess = accessOf(call);
  const { projectPath, name } = call.request;
  const { viewer, agent } = await viewerAccess.agent({ projectPath, name }, call.signal);
  const { verb, resource, work } = change;
  const record = { verb, resource, username: viewer.username, projectPath, name, agentIdOf: () => agent.id };
  return audited(context, record, () => work(viewerAccess, agent));
}

/** Does it, and records who has done what and how it ended; never a secret. */
async function audited<T>(
  { audit, clock }: AgentsContext,
  of: {
    readonly username: string;
    readonly projectPath: string;
    readonly name: string;
    readonly verb: string;
    readonly resource: string;
    readonly agentIdOf: (result: T) => bigint;
  },
  work: () => Promise<T>,
): Promise<T> {
  const startedMs = clock.now();
  const record = (agentId: bigint, outcome: string): void =>
    audit.add({
      atMs: clock.now(),
      requestId: randomUUID(),
      event: "complete",
      principal: { kind: "user", username: of.username },
      agentId,
      action: { verb: of.verb, apiGroup: "binnacle", resource: of.resource, name: of.name },
      purpose: { project: of.projectPath },
      outcome,
      durationMs: Math.max(0, Math.round(clock.now() - startedMs)),
    });
  try {
    const result = await work();
    record(of.agentIdOf(result), "applied");
    return result;
  } catch (error) {
    record(0n, error instanceof Fault ? error.reason : "internal");
    throw error;
  }
}
