import { Fault } from "@binnacle/rpc";

import type { GitalyClient } from "../gitaly/gitaly-client.ts";
import type { AgentInfo } from "../main-application/agent-info.ts";
import { configurationPath, parseConfiguration, type ParsedConfiguration } from "./configuration-file.ts";

/** One reading of an agent's configuration. */
export type Reading =
  | { readonly kind: "unchanged" }
  | { readonly kind: "good"; readonly commit: string; readonly parsed: ParsedConfiguration }
  | { readonly kind: "broken"; readonly commit: string; readonly reason: string };

/**
 * Reads `.gitlab/agents/<name>/config.yaml` on the default branch.
 *
 * @param knownCommit commit the caller has already; the same one answers `unchanged` without reading the file
 * @throws Fault `gitaly_unavailable`; what the user did wrong is `broken`, not a fault
 */
export async function readConfiguration(
  gitaly: GitalyClient,
  info: AgentInfo,
  options: { readonly knownCommit: string; readonly maxBytes: number },
): Promise<Reading> {
  const path = configurationPath(info.agentName);
  const commit = await gitaly.headCommit(info.gitaly, info.repository, info.defaultBranch).catch(missingIsUndefined);
  if (commit === undefined) return { kind: "broken", commit: "", reason: "the repository has no commit" };
  if (commit === options.knownCommit) return { kind: "unchanged" };
  try {
    const content = await gitaly.file(info.gitaly, info.repository, { commit, path, maxBytes: options.maxBytes });
    if (content === undefined) return { kind: "broken", commit, reason: `${path} is missing` };
    return { kind: "good", commit, parsed: parseConfiguration(content.toString(), path) };
  } catch (error) {
    if (error instanceof Fault && error.reason === "configuration_invalid") return { kind: "broken", commit, reason: error.message };
    throw error;
  }
}

function missingIsUndefined(error: unknown): undefined {
  if (error instanceof Fault && error.reason === "not_found") return undefined;
  throw error;
}
