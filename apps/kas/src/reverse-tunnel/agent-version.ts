import type { IncomingHttpHeaders } from "node:http2";

/** Major and minor number of a release, as agentk says it in its user-agent. */
export type AgentVersion = readonly [major: number, minor: number];

/** The version an agentk says it has; `undefined` for whoever does not name itself so. */
export function agentVersionOf(headers: IncomingHttpHeaders): AgentVersion | undefined {
  const said = /^agentk\/v?(\d+)\.(\d+)/.exec(headers["user-agent"] ?? "");
  return said === null ? undefined : [Number(said[1]), Number(said[2])];
}

/** The version is that one or a later one. */
export function isSince([major, minor]: AgentVersion, [sinceMajor, sinceMinor]: AgentVersion): boolean {
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor);
}
