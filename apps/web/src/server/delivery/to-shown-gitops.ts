import type { ToolStandings } from "@binnacle/environment-view";
import type { Gitops } from "@binnacle/proto/dashboard";

import type { GitopsRecord } from "./agent-syncs.ts";
import { toGitops } from "./to-gitops.ts";
import { toToolSync } from "./to-tool-sync.ts";

const NOTHING: GitopsRecord = { syncs: [], asOfMs: undefined };

/**
 * All that GitOps does in an environment, for the wire.
 *
 * @param record of our own agents; absent: nothing is known of them
 * @param standings of other tools; absent: there are none, or nobody knows
 */
export function toShownGitops(record: GitopsRecord | undefined, standings: ToolStandings | undefined): Gitops {
  const { tools = [], more = 0 } = standings ?? {};
  return { ...toGitops(record ?? NOTHING), tools: tools.map(toToolSync), moreTools: more };
}
