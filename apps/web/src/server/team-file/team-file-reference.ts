import { join } from "node:path";

import { referencePage } from "@binnacle/config";
import { z } from "zod";

import { MAX_ENTRIES, MAX_TEAM_FILE_BYTES, TEAM_FILE_PATH, teamFileSchema } from "./team-file-schema.ts";

/** Where the page about the file of a team is kept. */
export const teamReferenceFile = join(import.meta.dirname, "../../../../../docs/reference/team-file.md");
/** Where its JSON Schema is kept, for editors. */
export const teamSchemaFile = join(import.meta.dirname, "../../../../../docs/reference/team-file.schema.json");

const NOTES = `\`${TEAM_FILE_PATH}\` stands in the project whose environments are shown, on its default branch. It is read with the right of the viewer:
one who may not read the project's repository sees every environment as the main application describes it, and a line that says so.

\`\`\`yaml
# yaml-language-server: $schema=https://example.com/docs/reference/team-file.schema.json
environments:
  production:
    namespaces: [shop, shop-jobs]
    labels: { app.kubernetes.io/part-of: shop }
  review/*:
    inventoryId: shop-review
\`\`\`

## Environments

A name wins over every pattern, of patterns the first in the file; \`*\` is any run of characters, slashes too. Without \`namespaces\` the
environment keeps its own. With \`labels\` and \`inventoryId\` both must hold. The page says what is shown and how much of the namespaces that is.

The file grants no rights. Every object is read as the viewer: a namespace that he may not read is shown as not visible, even if the file names it. A
resource that is cluster-wide is shown when something shown refers to it.

## Rules of your own

\`\`\`yaml
edges:
  - id: reads
    from: { group: apps, kind: Deployment }
    class: target
    path: "$.metadata.annotations.queue"
    to: { group: example.com, kind: Queue }
health:
  healthCheckExprs:
    - { apiVersion: example.com/v1, kind: Queue, failed: "status.phase == 'Lost'", current: "status.phase == 'Bound'" }
hidden: [apps/ControllerRevision, discovery.k8s.io/EndpointSlice]
weights: { batch/Job: ignore }
views:
  Broken workloads: { query: "view=list&kind=Deployment&problems=1" }
\`\`\`

They hold for all environments of the project, for viewers who may read the file, on the page and in the rows of the index; two projects that show
the same namespace see each their own. Nothing more is read of the cluster for them, but that objects which they read are kept whole.

- \`edges\` come before those of web's configuration (\`graph.custom_edges\`) and of the packs: of one \`id\`, yours counts, in packs for
  the kind that yours begins at.
- \`health\` comes before the operator's file (\`health_rules.file\`), the rules in the cluster (Argo CD, Flux), the packs and what is built in,
  also where it is a pattern and theirs is the very kind. The drawer says which kind's rule of this file has decided. A rule that throws or takes
  too long is Unknown, with the reason; one that takes too long again and again is switched off for a while. It does not delay others.
- \`hidden\` kinds are in no graph, list, number or roll-up, and the page says which they are. What they own stands for itself. A link to such a
  resource still opens it, for viewers who may read it.
- \`weights\`: a kind that is ignored is shown with its own health; it and what it owns are not in the roll-up, and the page says so.
- \`views\` are links beside the filter. A link leads to this page alone: of its query, what the page does not know is dropped.

## What is wrong with it

Each entry stands for itself: one that is wrong is left out, and all viewers of an environment of the project see its line and how to
fix it; the others apply. A file that is no YAML, no UTF-8, or longer than ${MAX_TEAM_FILE_BYTES / 1024} KiB is not read at all, and environments are as
without it. Of a section the first ${MAX_ENTRIES} entries are read. Aliases, tags, merges and keys that come twice are refused where they stand.

It is read again every 30 s while a page is open. When it cannot be read for a while, its last content applies for ten minutes.`;

/** The page as the schema says it now. */
export function teamReferencePage(): string {
  return referencePage(teamFileSchema, "The file of a team", NOTES);
}

/** The JSON Schema as the schema says it now. */
export function teamJsonSchema(): string {
  const schema = z.toJSONSchema(teamFileSchema, { target: "draft-7", io: "input", unrepresentable: "any" });
  return `${JSON.stringify({ title: TEAM_FILE_PATH, ...schema }, null, 2)}\n`;
}
