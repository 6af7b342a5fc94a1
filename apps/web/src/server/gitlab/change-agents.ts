import { Secret } from "@binnacle/telemetry";
import { words } from "@binnacle/words";
import { z } from "zod";

import { MessageFault } from "../base/message-fault.ts";
import type { AgentName } from "../main-application/agents.ts";
import { lineOf } from "../main-application/foreign-text.ts";
import type { GraphqlAccess } from "./graphql-access.ts";

/** A mutation, the type of its input, and what is read of its payload. */
interface Mutation<T extends z.ZodRawShape> {
  readonly name: string;
  readonly input: string;
  readonly fields: string;
  readonly payload: T;
}

/** @see docs.gitlab.com, GraphQL reference, `Mutation.createClusterAgent` and the three after it */
const CREATE = {
  name: "createClusterAgent",
  input: "CreateClusterAgentInput",
  fields: "clusterAgent { id }",
  payload: { clusterAgent: z.object({ id: z.string().regex(/\/\d{1,18}$/) }).nullish() },
};
const CREATE_TOKEN = {
  name: "clusterAgentTokenCreate",
  input: "ClusterAgentTokenCreateInput",
  fields: "secret",
  payload: { secret: z.string().min(1).max(1_000).nullish() },
};
const REVOKE_TOKEN = { name: "clusterAgentTokenRevoke", input: "ClusterAgentTokenRevokeInput", fields: "", payload: {} };
const DELETE = { name: "clusterAgentDelete", input: "ClusterAgentDeleteInput", fields: "", payload: {} };

/** All queries of this file (`environment-query.ts`). */
export const QUERIES: readonly string[] = [CREATE, CREATE_TOKEN, REVOKE_TOKEN, DELETE].map(queryOf);

/** @see AgentsAccess.registerAgent */
export async function createAgent(access: GraphqlAccess, of: AgentName, signal: AbortSignal): Promise<{ readonly id: bigint }> {
  const { clusterAgent } = await change(access, CREATE, { projectPath: of.projectPath, input: { ...of }, signal });
  return { id: BigInt(/\d{1,18}$/.exec(clusterAgent?.id ?? "")?.[0] ?? unreadable()) };
}

/** @see AgentsAccess.createAgentToken */
export async function createAgentToken(
  access: GraphqlAccess,
  { projectPath, agentId, tokenName }: { readonly projectPath: string; readonly agentId: bigint; readonly tokenName: string },
  signal: AbortSignal,
): Promise<Secret> {
  const input = { clusterAgentId: agentGid(agentId), name: tokenName };
  const { secret } = await change(access, CREATE_TOKEN, { projectPath, input, signal });
  return new Secret(secret ?? unreadable());
}

/** @see AgentsAccess.revokeAgentToken */
export async function revokeAgentToken(
  access: GraphqlAccess,
  { projectPath, tokenId }: { readonly projectPath: string; readonly tokenId: string },
  signal: AbortSignal,
): Promise<void> {
  await change(access, REVOKE_TOKEN, { projectPath, input: { id: tokenId }, signal });
}

/** @see AgentsAccess.deleteAgent */
export async function deleteAgent(
  access: GraphqlAccess,
  { projectPath, agentId }: { readonly projectPath: string; readonly agentId: bigint },
  signal: AbortSignal,
): Promise<void> {
  await change(access, DELETE, { projectPath, input: { id: agentGid(agentId) }, signal });
}

/** @throws Fault `environment_forbidden`, `invalid_request` */
async function change<T extends z.ZodRawShape>(
  access: GraphqlAccess,
  mutation: Mutation<T>,
  { projectPath, input, signal }: { readonly projectPath: string; readonly input: object; readonly signal: AbortSignal },
): Promise<z.infer<z.ZodObject<T>>> {
  const { name, payload } = mutation;
  const data = await access.graphql(queryOf(mutation), { input }, { projectPath, signal });
  const found = z.record(z.string(), z.unknown()).safeParse(data).data?.[name];
  // What a viewer may not do is null, with an error that is the same as for what there is not.
  if (found === null || found === undefined) throw new MessageFault("environment_forbidden", words("agents/may-not-change"));
  const parsed = z.object(payload).safeParse(found).data;
  const errors = z.object({ errors: z.array(z.string()).nullish() }).safeParse(found).data?.errors ?? [];
  if (errors.length > 0) throw new MessageFault("invalid_request", words("agents/refused", { said: lineOf(errors.join("; ")) }));
  return parsed ?? unreadable();
}

function queryOf({ name, input, fields }: Pick<Mutation<z.ZodRawShape>, "name" | "input" | "fields">): string {
  return `mutation Change($input: ${input}!) { ${name}(input: $input) { ${fields} errors } }`;
}

function agentGid(id: bigint): string {
  return `gid://gitlab/Clusters::Agent/${id}`;
}

function unreadable(): never {
  throw new MessageFault("main_application_unavailable", words("main-application/shape"));
}
