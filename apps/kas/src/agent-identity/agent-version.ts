/** Major and minor number of a release. */
export type AgentVersion = readonly [major: number, minor: number];

/** `agentk` up to 14.1 and in our own releases, `gitlab-agent` since 14.2 (both recorded, see fixtures/go-agents), `gitlab-agent-agentk` assumed. */
const USER_AGENT = /^(?:agentk|gitlab-agent|gitlab-agent-agentk)\/(.{1,64})/;
const VERSION = /^v?(\d{1,5})\.(\d{1,5})(?![\d])/;

/** The version that an agent names in its user agent; `undefined` for any other program and for a version that cannot be read. */
export function versionOfUserAgent(userAgent: string | undefined): AgentVersion | undefined {
  const product = USER_AGENT.exec(userAgent ?? "");
  return product?.[1] === undefined ? undefined : parseVersion(product[1]);
}

/** A version as `AgentMeta` has it ("v16.5.0"); `undefined` when it cannot be read. */
export function parseVersion(text: string): AgentVersion | undefined {
  const numbers = VERSION.exec(text);
  return numbers === null ? undefined : [Number(numbers[1]), Number(numbers[2])];
}

/** The version is that one or a later one. */
export function isSince([major, minor]: AgentVersion, [sinceMajor, sinceMinor]: AgentVersion): boolean {
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor);
}
