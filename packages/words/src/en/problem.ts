import type { Catalogue } from "../catalogue.ts";

/**
 * Why a whole view cannot be shown. The sentences of `agent-forbidden` and `no-resources` are those of GitLab's blueprint, word for word.
 * Facts: address of a page, agent, configuration (project of the agent), environment, namespace, path, product, project, reason, status, user.
 */
export const PROBLEM = {
  "problem/agent-forbidden":
    'You don\'t have access to an agent that deployed to this environment. Please contact agent administrator if you are allowed in "user_access" in agent config file. See {address}',
  "problem/agent-forbidden/details":
    "Project {project}{has_agent, select, no {} other {, agent {agent}}}{has_configuration, select, no {} other { of {configuration}}}, signed in as {user}",
  // The main application says the same of an agent that there is and that the viewer may not know of.
  "problem/no-agent": "No Kubernetes agent that you may see is connected to this environment.",
  "problem/no-agent/details":
    "Environment {environment} of {project}. An agent of another project is shown to developers of the projects that it is shared with.",
  "problem/no-environment": 'There is no environment "{environment}" in {project}, or you may not see it.',
  "problem/no-project": "There is no project {project}, or you may not see it.",
  "problem/no-resources": "There are no resources found for the environment. Do resources have {product} preserved labels? See {address}",
  "problem/no-resources/all-namespaces": "All namespaces",
  "problem/no-resources/namespace": "Namespace {namespace}",
  "problem/frame": "You are not signed in here. Browsers send no session to a frame of another site.",
  "problem/frame/link": "Open in a new tab",
  "problem/session-ended": "Your session ended. Sign in to continue.",
  "problem/topic-failed":
    "This cannot be shown now because of an error in Binnacle. The log of the dashboard has the cause. Binnacle tries again by itself.",
  "problem/topic-unsendable": "This cannot be shown now: a message could not be encoded ({reason}). Binnacle tries again by itself.",
  "problem/unknown": "It cannot be shown now.",
  "main-application/no-data": "the main application is not available: GraphQL gave no data",
  "main-application/no-id": "the main application sent an id that is not a global id",
  "main-application/no-token": "the main application is not available: its page {path} (status {status}) gives no token",
  "main-application/shape": "the main application answers GraphQL in an unknown shape",
  "main-application/silent": "the main application does not answer",
  "main-application/status": "the main application is not available: GraphQL answered {status}",
} as const satisfies Catalogue;
