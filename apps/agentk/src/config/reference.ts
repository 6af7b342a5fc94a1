import { join } from "node:path";

import { USAGE } from "./flags.ts";

/** Where the page about agentk's flags is kept. */
export const agentkReferenceFile = join(import.meta.dirname, "../../../../docs/reference/agentk-config.md");

/** The page as the program says it of itself: one row for each line of its usage. */
export function agentkReferencePage(): string {
  const rows = [["Flag", "Meaning"], ...usageRows().map(({ flags, meaning }) => [`\`${flags}\``, meaning])];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const [head = "", ...body] = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [
    "# Flags of agentk",
    "",
    "Generated from its usage; do not edit. `POD_NAMESPACE` and `POD_NAME` say where it runs; without `--kubeconfig` the file of",
    "`KUBECONFIG` is read, and without that the pod's ServiceAccount is used.",
    "",
    head,
    rule,
    ...body,
    "",
  ].join("\n");
}

function usageRows(): { readonly flags: string; readonly meaning: string }[] {
  return [...USAGE.matchAll(/^ {2}(--.+?) {2,}(.+)$/gm)].map(([, flags = "", meaning = ""]) => ({ flags, meaning }));
}
