import { fromJson, toJson, type JsonValue } from "@bufbuild/protobuf";
import { ConfigurationFileSchema, type ConfigurationFile } from "@binnacle/proto/agentcfg";
import type { AgentOptions } from "@binnacle/proto/agent-options";
import { Fault } from "@binnacle/rpc";

import type { Look } from "../gitaly/repository-poller.ts";
import type { AgentInfo } from "../main-application/agent-info.ts";

/** Where configurations of agents are: in a repository of the main application, or in the files of an organization. */
export interface ConfigurationSource {
  /** Begins to follow the configuration of an agent; the first look is made, or shared, at once. Close the follower. */
  follow(agent: AgentInfo): ConfigurationFollower;
  /**
   * Reads the configuration at a commit that a look found; `undefined`: there is none.
   *
   * @throws Fault when it cannot be read now; what the user did wrong is `broken`, not a fault
   */
  read(agent: AgentInfo, commit: string | undefined): Promise<Reading>;
  /** Reports the configuration that is in force. @returns whether that succeeded; otherwise it is reported again at the next look */
  report(agent: AgentInfo, parsed: ParsedConfiguration): Promise<boolean>;
}

/** Follows the configuration of one agent. */
export interface ConfigurationFollower {
  /** The newest look that this follower has not seen, or the next one; `undefined` when the signal aborts first. */
  next(signal: AbortSignal): Promise<Look | undefined>;
  /** What the agent is by now. */
  aim(agent: AgentInfo): void;
  close(): void;
}

/** One reading of an agent's configuration. */
export type Reading =
  | { readonly kind: "good"; readonly commit: string; readonly parsed: ParsedConfiguration; readonly options: AgentOptions | undefined }
  | { readonly kind: "broken"; readonly commit: string; readonly reason: string };

/** A configuration that was read. */
export interface ParsedConfiguration {
  readonly file: ConfigurationFile;
  /** What is reported to the main application. */
  readonly json: JsonValue;
}

/**
 * Reads the data of a configuration strictly: one unknown key makes it invalid, as in the original.
 *
 * @param path for error texts
 * @throws Fault `configuration_invalid` with the key
 */
export function parseConfigurationData(data: JsonValue, path: string): ParsedConfiguration {
  try {
    const file = fromJson(ConfigurationFileSchema, data, { ignoreUnknownFields: false });
    return { file, json: toJson(ConfigurationFileSchema, file, { useProtoFieldName: true }) };
  } catch (error) {
    throw new Fault("configuration_invalid", `${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
