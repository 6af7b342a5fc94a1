import { create } from "@bufbuild/protobuf";
import { KubeClientError } from "@binnacle/environment-view";
import {
  AgentAccessState,
  GetAgentAccessResponseSchema,
  TestAgentAccessResponseSchema,
  type GetAgentAccessRequest,
  type GetAgentAccessResponse,
  type TestAgentAccessRequest,
  type TestAgentAccessResponse,
} from "@binnacle/proto/dashboard-agents";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import { z } from "zod";

import { MessageFault } from "../base/message-fault.ts";
import { reviewAccess } from "../kas/access-review.ts";
import { reviewIdentity } from "../kas/cluster-identity.ts";
import type { KasAccess } from "../kas/kas-access.ts";
import { lineOf } from "../main-application/foreign-text.ts";
import { accessOf, doorOf, openAgentKas, type AgentCall, type AgentsContext } from "./agents-context.ts";

const MAX_NAMESPACES = 500;
const MAX_GROUPS = 500;

/** Who the viewer is in the agent's cluster, and which namespaces they may list. @throws Fault as `ViewerAccess.agent` */
export async function getAgentAccess(context: AgentsContext, call: AgentCall<GetAgentAccessRequest>): Promise<GetAgentAccessResponse> {
  const kas = await kasOf(context, call);
  try {
    const identity = await reviewIdentity(kas.client, call.signal);
    const namespaces = await namespacesOf(kas, call.signal);
    return create(GetAgentAccessResponseSchema, {
      state: AgentAccessState.ALLOWED,
      username: lineOf(identity?.username),
      groups: (identity?.groups ?? []).slice(0, MAX_GROUPS).map(lineOf),
      ...(kas.watchLimit !== undefined && { watchBudget: kas.watchLimit.limit }),
      namespaces: [...(namespaces ?? [])],
      namespacesForbidden: namespaces === undefined,
    });
  } catch (error) {
    if (!(error instanceof KubeClientError)) throw error;
    return create(GetAgentAccessResponseSchema, { state: stateOf(error), problem: toWordsMessage(error.words) });
  }
}

function stateOf({ failure }: KubeClientError): AgentAccessState {
  if (failure === "unauthorized") return AgentAccessState.DENIED;
  return failure === "agent_offline" ? AgentAccessState.OFFLINE : AgentAccessState.UNSPECIFIED;
}

const listSchema = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string().max(63) }) })) });

/** `undefined`: the viewer may not list them. @throws KubeClientError */
async function namespacesOf({ client }: KasAccess, signal: AbortSignal): Promise<readonly string[] | undefined> {
  try {
    const answer = await client.json({ path: `/api/v1/namespaces?limit=${MAX_NAMESPACES}` }, signal);
    return (listSchema.safeParse(answer).data?.items ?? []).map(({ metadata }) => metadata.name).toSorted();
  } catch (error) {
    if (error instanceof KubeClientError && error.status?.code === 403) return undefined;
    throw error;
  }
}

/** What the RBAC authorizer writes. @see kubernetes/kubernetes, plugin/pkg/auth/authorizer/rbac, `clusterRoleBindingDescriber`, `roleBindingDescriber` */
const GRANTED_BY = /\bby (ClusterRoleBinding|RoleBinding) "([^"]{1,320})" of (?:ClusterRole|Role) "([^"]{1,253})" to /;
const VERB = /^(?:\*|[a-z]{1,40})$/;
const RESOURCE = /^(\*|[a-z0-9-]{1,63})((?:\.[a-z0-9-]{1,63}){0,8})((?:\/[a-z0-9*-]{1,63})?)$/;
const NAME = /^[a-z0-9](?:[a-z0-9.:-]{0,251}[a-z0-9])?$/;

/**
 * A SelfSubjectAccessReview as the viewer: no viewer tests as another.
 *
 * @throws Fault `invalid_request` for what names no right; as `ViewerAccess.agent`; those of a cluster that does not answer
 */
export async function testAgentAccess(context: AgentsContext, call: AgentCall<TestAgentAccessRequest>): Promise<TestAgentAccessResponse> {
  const { verb, resource, namespace, objectName } = call.request;
  const parsed = RESOURCE.exec(resource);
  if (!VERB.test(verb)) throw new MessageFault("invalid_request", words("agents/test-verb"));
  if (parsed === null) throw new MessageFault("invalid_request", words("agents/test-resource"));
  if ([namespace, objectName].some((text) => text !== "" && !NAME.test(text)))
    throw new MessageFault("invalid_request", words("agents/test-name"));
  const [, plural = "", group = "", subresource = ""] = parsed;
  const resourceAttributes = {
    verb,
    group: group.slice(1),
    version: "*",
    resource: plural,
    namespace,
    name: objectName,
    ...(subresource !== "" && { subresource: subresource.slice(1) }),
  };
  const kas = await kasOf(context, call);
  const review = await reviewAccess(kas.client, resourceAttributes, call.signal);
  if (review.right !== "not-known") return toResponse(review.right === "allowed", review.reason);
  throw new MessageFault(review.failure === "unauthorized" ? "environment_forbidden" : "cluster_unavailable", review.why);
}

/** The answer, with the binding only where the authorizer's reason names it. */
export function toResponse(allowed: boolean, reason = ""): TestAgentAccessResponse {
  const [, bindingKind = "", bindingName = "", roleName = ""] = (allowed && GRANTED_BY.exec(reason)) || [];
  return create(TestAgentAccessResponseSchema, {
    allowed,
    reason: lineOf(reason),
    bindingKind,
    bindingName: lineOf(bindingName),
    roleName: lineOf(roleName),
  });
}

async function kasOf(context: AgentsContext, call: AgentCall<{ readonly projectPath: string; readonly name: string }>): Promise<KasAccess> {
  const viewerAccess = accessOf(call);
  const { projectPath, name } = call.request;
  const { agent } = await viewerAccess.agent({ projectPath, name }, call.signal);
  const door = await doorOf(viewerAccess, projectPath, call.signal);
  return openAgentKas(context, viewerAccess, { projectPath, door, agentId: agent.id });
}
