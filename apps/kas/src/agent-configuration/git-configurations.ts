import { parseYaml } from "@binnacle/config";
import type { JsonValue } from "@bufbuild/protobuf";
import { Fault } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import { agentOptionsPath, parseAgentOptions } from "../config/agent-options.ts";
import type { GitalyClient } from "../gitaly/gitaly-client.ts";
import type { RepositoryPoller } from "../gitaly/repository-poller.ts";
import type { AgentInfo, ProjectRepository } from "../main-application/agent-info.ts";
import type { MainApplicationClient } from "../main-application/main-application-client.ts";
import {
  parseConfigurationData,
  type ConfigurationFollower,
  type ConfigurationSource,
  type ParsedConfiguration,
  type Reading,
} from "./configuration-source.ts";

/** What configurations in Git are read and reported with. */
export interface GitConfigurationsOptions {
  readonly gitaly: GitalyClient;
  readonly mainApplication: Pick<MainApplicationClient, "call">;
  /** Shared by all streams. */
  readonly repositories: RepositoryPoller;
  readonly log: Logger;
  readonly maxFileBytes: number;
}

/** Configurations in the repositories of the main application: `.gitlab/agents/<name>/config.yaml`, and the `binnacle.yaml` beside it. */
export class GitConfigurations implements ConfigurationSource {
  readonly #options: GitConfigurationsOptions;

  constructor(options: GitConfigurationsOptions) {
    this.#options = options;
  }

  follow(agent: AgentInfo): ConfigurationFollower {
    const follower = this.#options.repositories.follow(sourceOf(agent));
    return {
      next: (signal) => follower.next(signal),
      aim: (to) => follower.aim(sourceOf(to)),
      close: () => follower.close(),
    };
  }

  /** @throws Fault `gitaly_unavailable` */
  async read(agent: AgentInfo, commit: string | undefined): Promise<Reading> {
    const { gitaly, maxFileBytes: maxBytes } = this.#options;
    const { gitaly: access, repository } = sourceOf(agent);
    const path = `.gitlab/agents/${agent.agentName}/config.yaml`;
    if (commit === undefined) return { kind: "broken", commit: "", reason: "the repository has no commit" };
    try {
      const read = async (file: string) => (await gitaly.file(access, repository, { commit, path: file, maxBytes }))?.toString();
      const text = await read(path);
      if (text === undefined) return { kind: "broken", commit, reason: `${path} is missing` };
      const parsed = parseConfiguration(text, path);
      const optionsPath = agentOptionsPath(agent.agentName);
      const optionsText = await read(optionsPath);
      const options = optionsText === undefined ? undefined : parseAgentOptions(optionsText, optionsPath, parsed.file);
      return { kind: "good", commit, parsed, options };
    } catch (error) {
      if (error instanceof Fault && error.reason === "configuration_invalid") return { kind: "broken", commit, reason: error.message };
      throw error;
    }
  }

  async report({ agentId }: AgentInfo, parsed: ParsedConfiguration): Promise<boolean> {
    const { mainApplication, log } = this.#options;
    try {
      await mainApplication.call({
        method: "POST",
        path: "/api/v4/internal/kubernetes/agent_configuration",
        flow: String(agentId),
        body: { agent_id: Number(agentId), agent_config: parsed.json },
      });
      return true;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      log.warn({ agent_id: String(agentId), error }, "reporting the configuration failed");
      return false;
    }
  }
}

/**
 * Reads the text of a configuration strictly. An empty file is an empty configuration.
 *
 * @throws Fault `configuration_invalid` with the key or the line
 */
export function parseConfiguration(text: string, path: string): ParsedConfiguration {
  let data: unknown;
  try {
    data = parseYaml(text, path) ?? {};
  } catch (error) {
    throw new Fault("configuration_invalid", error instanceof Error ? error.message.replaceAll("\n", " ") : String(error), {
      cause: error,
    });
  }
  // Data of YAML's JSON schema is JSON.
  return parseConfigurationData(data as JsonValue, path);
}

function sourceOf({ source, agentId }: AgentInfo): ProjectRepository {
  if (source === undefined) throw new Fault("internal", `the main application named no repository of agent ${agentId}`);
  return source;
}
