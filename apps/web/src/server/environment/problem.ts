import { ProblemKind, ProblemSchema, type Problem } from "@binnacle/proto/dashboard";
import { Fault } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import { scopeWords } from "../team-file/scope-words.ts";
import type { EnvironmentRecord, MainViewer } from "../main-application/records.ts";
import { wordsOfFault } from "../base/message-fault.ts";
import { SESSION_ENDED } from "../base/session-ended.ts";
import { toSentWords } from "../base/sent-words.ts";

/** What the sentences name. */
export interface Wording {
  /** Name of the main application, "GitLab". */
  readonly product: string;
  readonly troubleshootingUrl: string;
}

/** The blueprint's sentence for a viewer whom the agent's user_access does not cover, word for word. */
export function agentForbidden({ troubleshootingUrl }: Wording, environment: EnvironmentRecord, viewer: MainViewer): Problem {
  const agent = { agent: environment.agent?.name, configuration: environment.agent?.projectPath };
  const details = words("problem/agent-forbidden/details", { ...agent, project: environment.projectPath, user: viewer.username });
  const text = words("problem/agent-forbidden", { address: troubleshootingUrl });
  return problem(ProblemKind.AGENT_FORBIDDEN, { text, details, link: troubleshootingUrl });
}

/** The blueprint's sentence for a view that is complete and empty, word for word; the scope stands in the details. */
export function noResources({ product, troubleshootingUrl }: Wording, { namespace, team }: EnvironmentRecord): Problem {
  const text = words("problem/no-resources", { product, address: troubleshootingUrl });
  const own = namespace === "" ? words("environment/all-namespaces") : words("problem/no-resources/namespace", { namespace });
  const details = team?.scope === undefined ? own : scopeWords(team.scope);
  return problem(ProblemKind.UNSPECIFIED, { text, details, link: troubleshootingUrl });
}

/** No agent is set on the environment, or none that the viewer may know of: the main application's answer is the same. */
export function noAgent({ name, projectPath, agentsNotReported }: EnvironmentRecord): Problem {
  if (agentsNotReported === true) return problem(ProblemKind.NO_AGENT, { text: words("main-application/no-agents") });
  const details = words("problem/no-agent/details", { environment: name, project: projectPath });
  return problem(ProblemKind.NO_AGENT, { text: words("problem/no-agent"), details });
}

/** The viewer's sign-in opens no clusters; the link leads to where a token is pasted. */
export function noClusterToken(signInPageUrl: string): Problem {
  return problem(ProblemKind.UNAVAILABLE, { text: words("problem/no-cluster-token"), link: signInPageUrl });
}

/** A session that has ended; the link leads to the sign-in and back. */
export function unauthenticated(signInUrl: string): Problem {
  return problem(ProblemKind.UNAUTHENTICATED, { text: SESSION_ENDED, link: signInUrl });
}

/** An expected failure as the problem a viewer sees; anything else is rethrown, for it is a bug. */
export function problemOf(error: unknown, signInUrl: string): Problem {
  if (!(error instanceof Fault)) throw error;
  switch (error.reason) {
    case "session_ended":
      return unauthenticated(signInUrl);
    case "not_found":
      return problem(ProblemKind.NOT_FOUND, { text: wordsOfFault(error) });
    case "main_application_unavailable":
    case "cluster_unavailable":
      return problem(ProblemKind.UNAVAILABLE, { text: wordsOfFault(error) });
    default:
      throw error;
  }
}

function problem(
  kind: ProblemKind,
  { text, details, link = "" }: { readonly text: Words; readonly details?: Words; readonly link?: string },
): Problem {
  return create(ProblemSchema, { kind, words: toSentWords(text), ...(details && { details: toSentWords(details) }), link });
}
