import type { IncomingHttpHeaders } from "node:http2";

import { agentVersionOf, isSince } from "./agent-version.ts";

/** Go agents impersonate from this version on (docs/design/contract.md "Agents that cannot impersonate"). */
const GO_SINCE = [14, 2] as const;

/**
 * Whether an agent acts as the identity that comes with a request. One that does not know how would ignore it and act as itself: a
 * privilege escalation. Told by our capability, or by the version in the user-agent; unknown means no.
 */
export function canImpersonate(headers: IncomingHttpHeaders): boolean {
  const capabilities = String(headers["agentk-caps"] ?? "").split(",");
  if (capabilities.some((name) => name.trim() === "impersonation")) return true;
  const version = agentVersionOf(headers);
  return version !== undefined && isSince(version, GO_SINCE);
}
