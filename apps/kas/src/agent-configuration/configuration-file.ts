import { fromJson, toJson, type JsonValue } from "@bufbuild/protobuf";
import { parseYaml } from "@binnacle/config";
import { ConfigurationFileSchema, type ConfigurationFile } from "@binnacle/proto/agentcfg";
import { Fault } from "@binnacle/rpc";

/** Where an agent's configuration is. */
export function configurationPath(agentName: string): string {
  return `.gitlab/agents/${agentName}/config.yaml`;
}

/** A configuration that was read. */
export interface ParsedConfiguration {
  readonly file: ConfigurationFile;
  /** What is reported to the main application. */
  readonly json: JsonValue;
}

/**
 * Reads the text strictly: one unknown key makes it invalid, as in the original. An empty file is an empty configuration.
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
  try {
    // Data of YAML's JSON schema is JSON.
    const file = fromJson(ConfigurationFileSchema, data as JsonValue, { ignoreUnknownFields: false });
    return { file, json: toJson(ConfigurationFileSchema, file, { useProtoFieldName: true }) };
  } catch (error) {
    throw new Fault("configuration_invalid", `${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
