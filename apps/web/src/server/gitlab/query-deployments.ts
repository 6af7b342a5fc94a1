import { QueryRefused, type FieldPath } from "./gitlab-client.ts";
import type { GraphqlAccess } from "./graphql-access.ts";
import { deploymentFields, deploymentOf } from "./deployment-fields.ts";
import type { DeploymentRecord } from "../main-application/records.ts";

/** What is queried, and for whom. */
interface EnvironmentsQuery {
  /** GraphQL with the fields of a deployment, which may be none, inside an environment. */
  readonly query: (deployment: string) => string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly projectPath: string;
  readonly signal: AbortSignal;
}

/** A response, and how an environment's deployment is read from it. */
export interface ResponseWithDeployments {
  readonly data: unknown;
  /** @param found content of the field @param path of the environment in the response */
  readonly deployment: (found: unknown, path: FieldPath) => DeploymentRecord;
}

const NOT_SUPPORTED: DeploymentRecord = { kind: "not-supported" };

/**
 * Queries environments with their deployments. A main application that does not support `Deployment.tag`, or no deployments at all, rejects the
 * query as a whole: it is queried again without that field, and what it rejected is remembered for a while.
 *
 * @throws Fault `session_ended`, `main_application_unavailable`; never because of a deployment
 */
export async function queryWithDeployments(access: GraphqlAccess, query: EnvironmentsQuery): Promise<ResponseWithDeployments> {
  const { tag, deployments } = access.refusedFields;
  const { isRemembered } = deployments;
  const attempts = isRemembered ? [] : tag.isRemembered ? [false] : [true, false];
  for (const isWithTag of attempts) {
    const response = await unlessRejected(withFields(access, { ...query, isWithTag }));
    if (response === undefined) continue;
    if (!isWithTag && !tag.isRemembered) tag.remember();
    return response;
  }
  const { projectPath, signal } = query;
  const data = await access.graphql(query.query(""), query.variables, { projectPath, signal });
  if (!isRemembered) deployments.remember();
  return { data, deployment: () => NOT_SUPPORTED };
}

async function withFields(
  access: GraphqlAccess,
  { query, variables, projectPath, signal, isWithTag }: EnvironmentsQuery & { readonly isWithTag: boolean },
): Promise<ResponseWithDeployments> {
  const failed: FieldPath[] = [];
  const options = { projectPath, signal, failed: (path: FieldPath) => failed.push(path) };
  const data = await access.graphql(query(deploymentFields(isWithTag)), variables, options);
  return { data, deployment: (found, path) => deploymentAt(found, { path, failed, access }) };
}

async function unlessRejected<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof QueryRefused) return undefined;
    throw error;
  }
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
