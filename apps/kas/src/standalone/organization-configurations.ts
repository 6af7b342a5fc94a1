import { createHash } from "node:crypto";

import type { JsonValue } from "@bufbuild/protobuf";
import type { OrganizationFiles } from "@binnacle/organization";
import { Fault, type Clock } from "@binnacle/rpc";

import {
  parseConfigurationData,
  type ConfigurationFollower,
  type ConfigurationSource,
  type Reading,
} from "../agent-configuration/configuration-source.ts";
import { parseAgentOptionsData } from "../config/agent-options.ts";
import type { AgentInfo } from "../main-application/agent-info.ts";
import type { ProjectReader } from "../main-application/project-info-lookup.ts";

/** What configurations are read with. */
export interface OrganizationConfigurationsOptions {
  readonly files: OrganizationFiles;
  readonly clock: Clock;
  /** How often an agent's configuration is looked at without a change of the files. */
  readonly pollMs: number;
}

/** Keys of `config.yaml` that mean nothing without a main application, and what to write instead. */
const UNUSABLE = {
  user_access: "belongs to the agent itself: write it beside `configuration`",
  ci_access: "is about jobs of GitLab CI, and there is no GitLab",
  gitops: "needs manifests in Git, and there is no Gitaly",
  remote_development: "is about workspaces of GitLab, and there is no GitLab",
  flux: "is about pushes to GitLab, and there is no GitLab",
} as const;

/** Configurations of agents in the files of an organization. A commit is the digest of what the file has for the agent. */
export class OrganizationConfigurations implements ConfigurationSource {
  readonly #options: OrganizationConfigurationsOptions;

  constructor(options: OrganizationConfigurationsOptions) {
    this.#options = options;
  }

  follow({ agentId }: AgentInfo): ConfigurationFollower {
    const { files, clock, pollMs } = this.#options;
    let isDue = true;
    let wake = (): void => {};
    const due = (): void => {
      isDue = true;
      wake();
    };
    const unsubscribe = files.subscribe(due);
    let cancelTimer = (): void => {};
    return {
      next: (signal) =>
        new Promise((resolve) => {
          const settle = (): void => {
            if (!isDue && !signal.aborted) return;
            wake = () => {};
            signal.removeEventListener("abort", settle);
            if (signal.aborted) return resolve(undefined);
            isDue = false;
            cancelTimer();
            cancelTimer = clock.after(pollMs, due);
            resolve({ kind: "head", commit: this.#commitOf(agentId) });
          };
          wake = settle;
          signal.addEventListener("abort", settle, { once: true });
          settle();
        }),
      aim: () => {},
      close: () => {
        unsubscribe();
        cancelTimer();
      },
    };
  }

  async read({ agentId, agentName }: AgentInfo, commit: string | undefined): Promise<Reading> {
    const agent = this.#options.files.current.agent(Number(agentId));
    if (agent === undefined || commit === undefined)
      return { kind: "broken", commit: "", reason: `agent ${agentName} is not in the files` };
    const path = `agent ${agentName}: configuration`;
    const configuration = agent.configuration ?? {};
    for (const [key, why] of Object.entries(UNUSABLE)) {
      if (key in configuration) return { kind: "broken", commit, reason: `${path}.${key} ${why}` };
    }
    try {
      // Data of YAML's JSON schema is JSON.
      const parsed = parseConfigurationData(configuration as JsonValue, path);
      const options = agent.options && parseAgentOptionsData(agent.options, `agent ${agentName}: options`, parsed.file);
      return { kind: "good", commit, parsed, options };
    } catch (error) {
      if (error instanceof Fault && error.reason === "configuration_invalid") return { kind: "broken", commit, reason: error.message };
      throw error;
    }
  }

  /** There is no main application to report to. */
  async report(): Promise<boolean> {
    return true;
  }

  #commitOf(agentId: bigint): string | undefined {
    const agent = this.#options.files.current.agent(Number(agentId));
    if (agent === undefined) return undefined;
    const content = JSON.stringify([agent.configuration ?? {}, agent.options ?? {}]);
    return createHash("sha256").update(content).digest("hex").slice(0, 40);
  }
}

/** Projects of an organization without Git: none has a repository. */
export const noProjects: ProjectReader = {
  project: ({ project }) =>
    Promise.reject(new Fault("not_found", `project ${project} has no repository: manifests need Git, and there is no Gitaly`)),
};
