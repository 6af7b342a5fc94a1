import type { IncomingHttpHeaders } from "node:http2";

import { isSince, versionOfUserAgent, type AgentVersion } from "./agent-version.ts";

/** What agents can do from a certain version on. */
export type AgentAbility = "impersonation" | "logs" | "reports" | "reset" | "upgrade" | "views";

interface AbilityRule {
  /** First version of the Go agent that can; absent: none can. */
  readonly since?: AgentVersion;
  /** Whether an agent that sends `agentk-caps` can: by an entry of that list, or in every release. */
  readonly ours: "listed" | "always" | "never";
  /** What holds for an agent whose version is not known. */
  readonly unknown: boolean;
  readonly source: string;
}

/** Every decision by version that kas makes about an agent. */
export const ABILITIES: Readonly<Record<AgentAbility, AbilityRule>> = {
  // An agent that cannot would ignore the identity and act as itself, a privilege escalation: unknown means no.
  impersonation: {
    since: [14, 2],
    ours: "listed",
    unknown: false,
    source: "14.1.1: HeaderExtra is not in its API and is ignored; 16.5.0: kubernetes_api/rpc HeaderExtra, seen to impersonate",
  },
  logs: { ours: "listed", unknown: false, source: "a service of ours that older releases of ours lack (docs/design/logs.md)" },
  reports: { ours: "always", unknown: false, source: "a service of ours: each manifest project is reported (docs/design/gitops.md)" },
  // A reset is how gRPC cancels a call; only the Go agent is known to go on until its cluster sends something (docs/design/tunnel.md "Cancel").
  reset: {
    since: [14, 5],
    ours: "always",
    unknown: true,
    source: "upstream change of 2021-10-21, a day before 14.4 came out; 14.5 is the first release that has it for certain",
  },
  upgrade: { since: [15, 1], ours: "listed", unknown: false, source: "HttpRequest.upgradeData (field 4) came with 15.1" },
  views: { ours: "always", unknown: false, source: "a service of ours (docs/design/views.md)" },
};

/** What is known of an agent. */
export interface AgentFacts {
  /** Of the stream: `agentk-caps` and `user-agent` are read. */
  readonly headers: IncomingHttpHeaders;
  /** From `AgentMeta`: it wins over the user agent. `"unknown"`: it came, and its version cannot be read. Absent: it has not come. */
  readonly metaVersion?: AgentVersion | "unknown" | undefined;
}

/** Whether an agent can do something. Capabilities of ours decide for an agent that sends them, else the version from `AgentMeta`, else that of the user agent. */
export function hasAbility(ability: AgentAbility, { headers, metaVersion }: AgentFacts): boolean {
  const { since, ours, unknown } = ABILITIES[ability];
  const capabilities = headers["agentk-caps"];
  if (typeof capabilities === "string") {
    if (ours !== "listed") return ours === "always";
    return capabilities.split(",").some((name) => name.trim() === ability);
  }
  const version = metaVersion === "unknown" ? undefined : (metaVersion ?? versionOfUserAgent(headers["user-agent"]));
  if (version === undefined) return unknown;
  return since !== undefined && isSince(version, since);
}

/** The names of all that an agent can do. */
export function abilitiesOf(facts: AgentFacts): AgentAbility[] {
  return ABILITY_NAMES.filter((ability) => hasAbility(ability, facts));
}

const ABILITY_NAMES = ["impersonation", "logs", "reports", "reset", "upgrade", "views"] as const satisfies readonly AgentAbility[];
