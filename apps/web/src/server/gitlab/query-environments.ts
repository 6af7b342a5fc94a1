import { deploymentFields, deploymentOf } from "./deployment-fields.ts";
import { QueryRefused, type FieldPath } from "./gitlab-client.ts";
import type { GraphqlAccess } from "./graphql-access.ts";
import type { HasField } from "./instance-fields.ts";
import type { DeploymentRecord } from "../main-application/records.ts";

/** Fields of an environment (docs.gitlab.com, GraphQL reference, `Environment`). */
export const environmentFields = (has: HasField): string => {
  const connections = has("ClusterAgent.connections") ? "connections { nodes { connectedAt } }" : "";
  const tokens = has("ClusterAgent.tokens") ? "tokens { nodes { lastUsedAt } }" : "";
  const agent = has("Environment.clusterAgent") ? `clusterAgent { id name project { name fullPath } ${connections} ${tokens} }` : "";
  const namespace = has("Environment.kubernetesNamespace") ? "kubernetesNamespace" : "";
  const deployment = has("Environment.lastDeployment") ? deploymentFields(has("Deployment.tag")) : "";
  return `id name slug tier state externalUrl ${namespace} ${agent} ${deployment}`;
};

/** What is queried, and for whom. */
interface EnvironmentsQuery {
  /** GraphQL with the fields that the instance has. */
  readonly query: (has: HasField) => string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly projectPath: string;
  readonly signal: AbortSignal;
}

/** A response, and how an environment is read from it. */
export interface EnvironmentsResponse {
  readonly data: unknown;
  /** The instance reports which agent an environment has. */
  readonly isWithAgents: boolean;
  /** @param found content of the field `lastDeployment` @param path of the environment in the response */
  readonly deployment: (found: unknown, path: FieldPath) => DeploymentRecord;
}

const NOT_SUPPORTED: DeploymentRecord = { kind: "not-supported" };

/**
 * Queries environments. An instance that lacks a field rejects the query as a whole and names the field: the query is sent again without it, and
 * that is remembered for a while. One that rejects it without a field that is known here gets it once more without deployments.
 *
 * @throws Fault `session_ended`, `main_application_unavailable`; QueryRefused; never because of a deployment
 */
export async function queryEnvironmentFields(access: GraphqlAccess, request: EnvironmentsQuery): Promise<EnvironmentsResponse> {
  const { instance } = access;
  for (;;) {
    try {
      return await withFields(access, request, instance.has);
    } catch (error) {
      if (!(error instanceof QueryRefused) || error.isTooComplex) throw error;
      if (instance.miss(error.missing)) continue;
      if (!instance.has("Environment.lastDeployment")) throw error;
      const response = await withFields(access, request, (field) => field !== "Environment.lastDeployment" && instance.has(field));
      instance.miss(["Environment.lastDeployment"]);
      return response;
    }
  }
}

async function withFields(
  access: GraphqlAccess,
  { query, variables, projectPath, signal }: EnvironmentsQuery,
  has: HasField,
): Promise<EnvironmentsResponse> {
  const failed: FieldPath[] = [];
  const text = query(has);
  // As the query was: another one may find out meanwhile what is missing.
  const [isWithDeployments, isWithAgents] = [has("Environment.lastDeployment"), has("Environment.clusterAgent")];
  const data = await access.graphql(text, variables, { projectPath, signal, failed: (path: FieldPath) => failed.push(path) });
  return {
    data,
    isWithAgents,
    deployment: (found, path) => (isWithDeployments ? deploymentAt(found, { path, failed, access }) : NOT_SUPPORTED),
  };
}

/** A deployment that is null because its field failed is not one that is not there. */
function deploymentAt(
  found: unknown,
  { path, failed, access }: { readonly path: FieldPath; readonly failed: readonly FieldPath[]; readonly access: GraphqlAccess },
): DeploymentRecord {
  const location = [...path, "lastDeployment"];
  const isFailed = (found === null || found === undefined) && failed.some((each) => location.every((part, index) => each[index] === part));
  return isFailed ? { kind: "not-readable" } : deploymentOf(found, access.mainApplicationUrl);
}
