import type { IncomingHttpHeaders } from "node:http2";

/** Go agents impersonate from this version on (docs/design/contract.md "Agents that cannot impersonate"). */
const GO_SINCE = [14, 2] as const;

/**
 * Whether an agent acts as the identity that comes with a request. One that does not know how would ignore it and act as itself: a
 * privilege escalation. Told by our capability, or by the version in the user-agent; unknown means no.
 */
export function canImpersonate(headers: IncomingHttpHeaders): boolean {
  const capabilities = String(headers["agentk-caps"] ?? "").split(",");
  if (capabilities.some((name) => name.trim() === "impersonation")) return true;
  const version = /^agentk\/v?(\d+)\.(\d+)/.exec(headers["user-agent"] ?? "");
  if (version === null) return false;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major > GO_SINCE[0] || (major === GO_SINCE[0] && minor >= GO_SINCE[1]);
}
