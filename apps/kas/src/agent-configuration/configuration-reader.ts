import type { AgentOptions } from "@binnacle/proto/agent-options";
import { Fault } from "@binnacle/rpc";

import type { GitalyClient } from "../gitaly/gitaly-client.ts";
import type { AgentInfo } from "../main-application/agent-info.ts";
import { agentOptionsPath, parseAgentOptions } from "../config/agent-options.ts";
import { configurationPath, parseConfiguration, type ParsedConfiguration } from "./configuration-file.ts";

/** One reading of an agent's configuration. */
export type Reading =
  | { readonly kind: "good"; readonly commit: string; readonly parsed: ParsedConfiguration; readonly options: AgentOptions | undefined }
  | { readonly kind: "broken"; readonly commit: string; readonly reason: string };

/**
 * Reads `.gitlab/agents/<name>/config.yaml` at a commit, and the `binnacle.yaml` beside it, if there is one.
 *
 * @param at no commit: the repository has none
 * @throws Fault `gitaly_unavailable`; what the user did wrong is `broken`, not a fault
 */
export async function readConfiguration(
  gitaly: GitalyClient,
  info: AgentInfo,
  at: { readonly commit: string | undefined; readonly maxBytes: number },
): Promise<Reading> {
  const path = configurationPath(info.agentName);
  const { commit, maxBytes } = at;
  if (commit === undefined) return { kind: "broken", commit: "", reason: "the repository has no commit" };
  try {
    const read = async (file: string) => (await gitaly.file(info.gitaly, info.repository, { commit, path: file, maxBytes }))?.toString();
    const text = await read(path);
    if (text === undefined) return { kind: "broken", commit, reason: `${path} is missing` };
    const parsed = parseConfiguration(text, path);
    const optionsPath = agentOptionsPath(info.agentName);
    const optionsText = await read(optionsPath);
    const options = optionsText === undefined ? undefined : parseAgentOptions(optionsText, optionsPath, parsed.file);
    return { kind: "good", commit, parsed, options };
  } catch (error) {
    if (error instanceof Fault && error.reason === "configuration_invalid") return { kind: "broken", commit, reason: error.message };
    throw error;
  }
}
