import type { Catalogue } from "../catalogue.ts";

/** Messages about failed requests and incomplete data. */
export const REQUESTS = {
  // Why a request to a cluster failed without an answer that states the cause. Facts: path, resource, size.
  "request/aborted": "the request was aborted",
  "request/api-silent": "the API server does not answer",
  "request/connection-failed": "the connection failed",
  "request/credential-refused": "kas does not accept the credential for this agent",
  "request/kas-silent": "kas does not answer",
  "request/no-answer-in-time": "no answer in time",
  "request/no-carrier": "no credential is left that could carry it",
  "request/no-name": "the requested name is not a valid Kubernetes name",
  "request/not-wanted": "it is no longer needed",
  "request/upload-broken": "the upload broke off",
  "request/upload-stalled": "the upload stalled",
  "answer/broken": "the answer broke off",
  "answer/endless-list": "the list of {resource} does not end",
  "answer/late": "the answer did not end in time",
  "answer/line-broken": "the watch broke off in a line",
  "answer/line-too-long": "a line of the watch is too long",
  "answer/no-event": "a line of the watch cannot be read",
  "answer/no-json": "the answer is not JSON",
  "answer/no-nodes": "the cluster does not report that it serves nodes",
  "answer/not-streamed": "the API server streams no lists",
  "answer/no-list": "the answer to {path} is not a list",
  "answer/no-object": "the answer to {path} is not an object",
  "answer/not-of-api": "the answer is not one of the API server",
  "answer/too-long": "the answer is longer than {size}",
  "answer/too-much": "too much is being read at a time",
  "answer/watch-broken": "the watch broke off",
  // Why the data about a kind, a scope or a cluster is incomplete. Facts: count, most, resource, seconds, said.
  "source/cannot-be-read": "{resource} cannot be read{has_said, select, no {} other {: {said}}}",
  "source/more-kinds": "the cluster has {count, plural, one {{count} more kind} other {{count} more kinds}} than are read of it",
  "source/no-place": "more is open at a time than is read for one person ({most} lists); close environments that you do not need",
  "source/no-watch": "the cluster does not support watches of this kind: it is listed once a minute",
  "source/none": "there was none of this kind: it is checked once a minute",
  "source/not-followed": "it has not been watched since then",
  "source/read-again": "everything is read again",
  "source/read-in-parts": "read again in each namespace",
  "source/too-large": "Its objects need more memory than this view may use",
  "source/too-many": "There are more objects than are shown of one kind",
  "source/watch-budget": "the agent carries no more watches: this kind is listed every {seconds} s",
  "source/watch-budget-assumed":
    "this agent server (kas), as GitLab's own, has no views of agents: at most {most} watches are open at a time, and this kind is listed every {seconds} s",
  "source/watch-silent": "its watch sends no more events, and is opened again",
  "source/watch-refused": "you may list this kind but not watch it: it is listed once a minute",
  "summary/no-room": "There are more objects than can be loaded at a time",
  "summary/too-large": "There is more than is read only to be counted",
  "summary/whole-cluster": "It is the whole cluster",
  "way/agent-silent": "the agent does not answer",
  "way/waiting": "waiting for an answer",
  // Why a view cannot be shown. The texts of `agent-forbidden` and `no-resources` are those of GitLab's blueprint, word for word. Facts:
  // address of a page, agent, configuration (project of the agent), environment, namespace, path, product, project, reason, status, user.
  "problem/agent-forbidden":
    'You don\'t have access to an agent that deployed to this environment. Please contact agent administrator if you are allowed in "user_access" in agent config file. See {address}',
  "problem/agent-forbidden/details":
    "Project {project}{has_agent, select, no {} other {, agent {agent}}}{has_configuration, select, no {} other { of {configuration}}}, signed in as {user}",
  // The main application gives the same answer for an agent that exists and that the viewer may not know of.
  "problem/no-agent": "No Kubernetes agent that you may see is connected to this environment.",
  "problem/no-agent/details":
    "Environment {environment} of {project}. An agent of another project is shown to developers of the projects that it is shared with.",
  "problem/no-environment": 'There is no environment "{environment}" in {project}, or you may not see it.',
  "problem/no-project": "There is no project {project}, or you may not see it.",
  "problem/no-resources": "There are no resources found for the environment. Do resources have {product} preserved labels? See {address}",
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
  // Problems of a project's own configuration file.
  "team-file/forbidden":
    "You may not read the team's file {file} in the repository: the environment is shown as the main application has it",
  "team-file/failed": "The team's file {file} could not be read: the environment is shown as the main application has it",
  "team-file/too-large":
    "The team's file {file} is longer than 64 KiB and was not read: the environment is shown as the main application has it",
  "team-file/binary": "The team's file {file} is no text and was not read: the environment is shown as the main application has it",
  "team-file/kept": "The team's file {file} could not be read now: the version that was read last stays in force",
  "team-file/no-place":
    "The rules of {file} are not in force: too many different teams' rules are in use in this cluster; they come into force when there is a place",
  "team-file/problem": "{file}, line {line}{has_path, select, no {} other {, {path}}}: {what}",
  "team-file/more": "{file}: {count, plural, one {one more entry is} other {{count} more entries are}} wrong",
  "team-file/hidden": "{count, plural, one {1 kind is} other {{count} kinds are}} hidden by {file}: {kinds}",
  "team-file/ignored":
    "{count, plural, one {1 kind does} other {{count} kinds do}} not count for the health of the environment, by {file}: {kinds}",
} as const satisfies Catalogue;
