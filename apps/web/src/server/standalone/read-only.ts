import type { Organization, OrganizationAgent, Principal } from "@binnacle/organization";

import type { ProjectAgent } from "../main-application/agents.ts";
import type { EnvironmentRecord } from "../main-application/records.ts";
import type { EnvironmentSettingsRecord, SettingsRecord, SharedAgent } from "../main-application/settings-access.ts";

/** The files are changed by people alone. No right is denied, so that pages name the file and not a person to ask. */
export const READ_ONLY: Pick<SettingsRecord, "may" | "capabilities" | "versions"> = {
  may: { create: true, push: true },
  capabilities: {
    agent: false,
    namespace: false,
    flux: false,
    sharedAgents: false,
    create: false,
    stop: false,
    remove: false,
    commit: false,
    commitPrecondition: false,
  },
  versions: undefined,
};

/** An environment of the files as its settings are shown. */
export function settingsOf({ number, name, state, namespace }: EnvironmentRecord): Omit<EnvironmentSettingsRecord, "agent"> {
  const may = { update: true, stop: true, remove: true };
  return { number, name, state, namespace, fluxResourcePath: "", autoStopAt: "", may };
}

/** An agent of the files; its connections are known to kas alone, and its tokens are hashes. */
export function agentOf({ id, name }: OrganizationAgent): ProjectAgent {
  return { id: BigInt(id), name, createdAtMs: undefined, connectedAtMs: undefined, lastSeenAtMs: undefined, tokens: undefined };
}

/** An agent, and whether the viewer may use it. */
export function sharedAgentOf(organization: Organization, { id, name, project }: OrganizationAgent, viewer: Principal): SharedAgent {
  const projectPath = organization.projectFor(project, viewer)?.path ?? "";
  return { id: BigInt(id), name, projectPath, forUsers: organization.accessTo(id, viewer) !== undefined };
}
