import type { ViewerAccess } from "../session/viewer-access.ts";
import { QueryRefused, type FieldPath } from "../upstream/main-application.ts";
import { DEPLOYMENT_FIELDS, deploymentOf, type DeploymentRecord } from "./deployment-record.ts";

/** What is asked, and for whom. */
interface Question {
  /** GraphQL with the fields of a deployment, which may be none, inside an environment. */
  readonly query: (deployment: string) => string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly projectPath: string;
  readonly signal: AbortSignal;
}

/** An answer, and what is to be made of an environment's deployment in it. */
export interface AnswerWithDeployments {
  readonly data: unknown;
  /** @param found what stands in the field @param path of the environment in the answer */
  readonly deployment: (found: unknown, path: FieldPath) => DeploymentRecord;
}

const NOT_TOLD: DeploymentRecord = { kind: "not-told" };

/**
 * Asks for environments with their deployments, of a main application that does not know those without: a query that it refuses as a
 * whole is asked again, and what came of that is remembered for a while.
 *
 * @throws Fault `session_ended`, `main_application_unavailable`; never for the sake of a deployment
 */
export async function askWithDeployments(access: ViewerAccess, question: Question): Promise<AnswerWithDeployments> {
  const { query, variables, projectPath, signal } = question;
  const untold = access.withoutDeployments;
  const without = async (): Promise<AnswerWithDeployments> => ({
    data: await access.graphql(query(""), variables, { projectPath, signal }),
    deployment: () => NOT_TOLD,
  });
  if (untold.isRemembered) return without();
  const failed: FieldPath[] = [];
  try {
    const data = await access.graphql(query(DEPLOYMENT_FIELDS), variables, { projectPath, signal, failed: (path) => failed.push(path) });
    return { data, deployment: (found, path) => deploymentAt(found, { path, failed, access }) };
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error;
    const answer = await without();
    untold.remember();
    return answer;
  }
}

/** A deployment that is null because asking for it failed is not one that is not there. */
function deploymentAt(
  found: unknown,
  { path, failed, access }: { readonly path: FieldPath; readonly failed: readonly FieldPath[]; readonly access: ViewerAccess },
): DeploymentRecord {
  const place = [...path, "lastDeployment"];
  const isFailed = (found === null || found === undefined) && failed.some((each) => place.every((part, index) => each[index] === part));
  return isFailed ? { kind: "not-readable" } : deploymentOf(found, access.mainApplicationUrl);
}
