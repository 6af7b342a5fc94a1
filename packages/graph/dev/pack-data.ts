import { join } from "node:path";

import { format, resolveConfig } from "prettier";

import type { EdgePack } from "../src/custom-edge-rule.ts";

/** The module that is written of the packs: data, so that neither a browser nor a server has to read YAML. */
export const packDataFile = join(import.meta.dirname, "..", "src", "packs", "edge-packs.ts");

/** Its text. */
export async function packData(packs: readonly EdgePack[]): Promise<string> {
  const text = `// Written by \`npm run reference\` from packages/graph/packs; not to be edited.
import type { EdgePack } from "../custom-edge-rule.ts";

/** All packs of edges, by name. */
export const EDGE_PACKS: readonly EdgePack[] = ${JSON.stringify(packs)};
`;
  return await format(text, { ...(await resolveConfig(packDataFile)), parser: "typescript" });
}
