import { ProblemKind, ProblemSchema, type Problem } from "@binnacle/proto/dashboard";
import { Fault } from "@binnacle/rpc";
import { create } from "@bufbuild/protobuf";

import type { EnvironmentRecord, MainViewer } from "./environment-query.ts";
import { SESSION_ENDED } from "./session-ended.ts";

/** What the sentences name. */
export interface Wording {
  /** Name of the main application, "GitLab". */
  readonly product: string;
  readonly troubleshootingUrl: string;
}

/** The blueprint's sentence for a viewer whom the agent's user_access does not cover, word for word. */
export function agentForbidden({ troubleshootingUrl }: Wording, environment: EnvironmentRecord, viewer: MainViewer): Problem {
  const agent = environment.agent === undefined ? "" : `Agent ${environment.agent.name} of ${environment.agent.projectPath}, `;
  return create(ProblemSchema, {
    kind: ProblemKind.AGENT_FORBIDDEN,
    message: `You don't have access to an agent that deployed to this environment. Please contact agent administrator if you are allowed in "user_access" in agent config file. See ${troubleshootingUrl}`,
    detail: `${agent}project ${environment.projectPath}, signed in as ${viewer.username}`,
    link: troubleshootingUrl,
  });
}

/** The blueprint's sentence for a view that is complete and empty, word for word; the scope stands in the detail. */
export function noResources({ product, troubleshootingUrl }: Wording, environment: EnvironmentRecord): Problem {
  return create(ProblemSchema, {
    kind: ProblemKind.UNSPECIFIED,
    message: `There are no resources found for the environment. Do resources have ${product} preserved labels? See ${troubleshootingUrl}`,
    detail: environment.namespace === "" ? "All namespaces" : `Namespace ${environment.namespace}`,
    link: troubleshootingUrl,
  });
}

/** No agent is set on the environment. */
export function noAgent(environment: EnvironmentRecord): Problem {
  return create(ProblemSchema, {
    kind: ProblemKind.NO_AGENT,
    message: "No Kubernetes agent is connected to this environment.",
    detail: `Environment ${environment.name} of ${environment.projectPath}`,
  });
}

/** A session that has ended; the link leads to the sign-in and back. */
export function unauthenticated(signInUrl: string): Problem {
  return create(ProblemSchema, { kind: ProblemKind.UNAUTHENTICATED, message: SESSION_ENDED, link: signInUrl });
}

/** An expected failure as the problem a viewer sees; anything else is rethrown, for it is a bug. */
export function problemOf(error: unknown, signInUrl: string): Problem {
  if (!(error instanceof Fault)) throw error;
  switch (error.reason) {
    case "session_ended":
      return unauthenticated(signInUrl);
    case "not_found":
      return create(ProblemSchema, { kind: ProblemKind.NOT_FOUND, message: error.message });
    case "main_application_unavailable":
    case "cluster_unavailable":
      return create(ProblemSchema, { kind: ProblemKind.UNAVAILABLE, message: error.message });
    default:
      throw error;
  }
}
