import type { KubeClientError } from "@binnacle/environment-view";

import type { BffContext } from "../bff-context.ts";
import type { KasAccess } from "./kas-access.ts";
import type { KnownConnection } from "../wire/to-proto.ts";

/** How the way is after a first request has failed; "connecting" when nobody says who is away. */
export function awayAs({ absences, clock }: BffContext, { agentId }: KasAccess, error: KubeClientError): KnownConnection {
  const { failure, words } = error;
  switch (failure) {
    case "agent_offline":
    case "api_down":
      return { state: failure, sinceMs: absences.sinceMs(agentId, failure), words };
    case "kas_unreachable":
      return { state: failure, words };
    default:
      return { state: "connecting", sinceMs: clock.now(), words };
  }
}

/**
 * Whether kas has just let the viewer through to the agent, and only then nobody was there. It looks at rights first, so that who may not
 * use the agent is not told either.
 */
export function isLetThrough({ failure, status }: KubeClientError): boolean {
  return failure === "agent_offline" || failure === "api_down" || (failure === "busy" && status?.code === 504);
}
