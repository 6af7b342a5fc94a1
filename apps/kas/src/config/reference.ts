import { join } from "node:path";

import { referencePage } from "@binnacle/config";

import { agentOptionsSchema } from "./agent-options.ts";
import { kasConfigSchema } from "./schema.ts";

/** What concerns more than one key. */
const AGENT_OPTIONS_NOTES = `They stand in \`.gitlab/agents/<name>/binnacle.yaml\`, beside the agent's \`config.yaml\` and at the same commit. The file may be absent.
One key or value that is not known, a project or service that stands there twice, a project that \`config.yaml\` does not have: as with \`config.yaml\`, the
commit is refused with all its mistakes, and the last good configuration stays in force. What the options do stands in
docs/design/gitops.md and docs/design/services.md.

\`\`\`yaml
gitops:
  manifest_projects:
    - id: group/app
      force_conflicts: true
      drift: show
services:
  - name: prometheus
    namespace: monitoring
    service: prometheus-operated
    port: web
    path_prefix: /api/v1/
    raw:
      projects: [{ id: 12, roles: [maintainer, owner] }]
    metrics: true
\`\`\``;

/** Where the page about kas' configuration is kept. */
export const kasReferenceFile = join(import.meta.dirname, "../../../../docs/reference/kas-config.md");

/** The page as the schema says it now. */
export function kasReferencePage(): string {
  return referencePage(kasConfigSchema, "Configuration of kas");
}

/** Where the page about an agent's options is kept. */
export const agentOptionsReferenceFile = join(import.meta.dirname, "../../../../docs/reference/agent-options.md");

/** The page as the schema says it now. */
export function agentOptionsReferencePage(): string {
  return referencePage(agentOptionsSchema, "Options of an agent", AGENT_OPTIONS_NOTES);
}
