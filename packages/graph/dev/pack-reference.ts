import { join } from "node:path";

import { format, resolveConfig } from "prettier";

import type { CustomEdgeRule, EdgePack } from "../src/custom-edge-rule.ts";

/** The reference page of the packs. */
export const packReferenceFile = join(import.meta.dirname, "../../../docs/reference/edge-packs.md");

/** Its text. */
export async function packReference(packs: readonly EdgePack[]): Promise<string> {
  const text = `# Packs of edges

Edges of the kinds of tools, on top of the catalogue of Kubernetes' own. Written by \`npm run reference\` from \`packages/graph/packs\`, where
each pack has its cases. All are on; \`graph.packs\` of web.yaml turns one off. A pack whose kinds a cluster does not serve costs nothing.
An edge is drawn with the kind \`<pack>:<edge>\`, a pod template with the edges that workloads have.

${packs.map(section).join("\n")}`;
  return await format(text, { ...(await resolveConfig(packReferenceFile)), parser: "markdown" });
}

function section({ name, about, rules }: EdgePack): string {
  return `## ${name}\n\n${about}.\n\n| Edge | From | Field | To |\n|---|---|---|---|\n${rules.map(row).join("\n")}\n`;
}

function row(rule: CustomEdgeRule): string {
  const from = rule.from.kind === "*" ? "any custom kind" : `${rule.from.kind}.${rule.from.group}`;
  const path = "podTemplate" in rule ? rule.podTemplate : "selector" in rule ? rule.selector : rule.path;
  const edge = "podTemplate" in rule ? "(pod template)" : rule.id;
  return `| ${edge} | ${from} | \`${path.replaceAll("|", "\\|")}\` | ${targetOf(rule)} |`;
}

function targetOf(rule: CustomEdgeRule): string {
  if ("podTemplate" in rule) return "what its pods need";
  const { kind, group = "" } = rule.to;
  const named =
    kind === undefined ? "the kind that it names" : group === "" || group === "same" || group === "parent" ? kind : `${kind}.${group}`;
  return "kindPath" in rule.to && kind !== undefined ? `the kind that it names, else ${named}` : named;
}
