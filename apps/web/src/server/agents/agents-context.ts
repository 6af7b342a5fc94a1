import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { AuditSink } from "../audit/audit-sink.ts";
import { sessionEnded } from "../base/session-ended.ts";
import type { KasAccessContext } from "../environment/connected-environment.ts";
import { KasAccess } from "../kas/kas-access.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import type { AgentReaderAssertion } from "./agent-reader-assertion.ts";

/** What calls about agents work with. */
export interface AgentsContext extends KasAccessContext {
  readonly clock: Clock;
  readonly log: Logger;
  readonly audit: AuditSink;
  /** Settings of agents. */
  readonly agents: {
    /** What agentk dials; empty: not configured. */
    readonly kasAddress: string;
    /** Absent: kas tells only users of an agent its status. */
    readonly readers: AgentReaderAssertion | undefined;
  };
}

/** A call of a viewer about a project, and perhaps one of its agents. */
export interface AgentCall<T> {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly request: T;
  readonly signal: AbortSignal;
}

/** The viewer's access. @throws Fault `session_ended` without a session */
export function accessOf({ viewerAccess }: Pick<AgentCall<unknown>, "viewerAccess">): ViewerAccess {
  if (viewerAccess === undefined) throw sessionEnded();
  return viewerAccess;
}

/**
 * The number of an environment whose page gives a session the cookie of kas; "new" where the project has none, whose page needs the right to
 * create one.
 */
export async function doorOf(viewerAccess: ViewerAccess, projectPath: string, signal: AbortSignal): Promise<string> {
  const { environments } = await viewerAccess.environments(projectPath, signal);
  return environments[0]?.number ?? "new";
}

/** The viewer's way to an agent that perhaps serves no environment. */
export function openAgentKas(
  { kasDialer: dialer, reading, absences, kasOffers: offers }: KasAccessContext,
  viewerAccess: ViewerAccess,
  of: { readonly projectPath: string; readonly door: string; readonly agentId: bigint },
): KasAccess {
  const { projectPath, door, agentId } = of;
  return new KasAccess(viewerAccess, { projectPath, number: door, agent: { id: agentId } }, { dialer, reading, absences, offers });
}
