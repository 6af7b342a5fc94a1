import { join } from "node:path";

import { referencePage } from "@binnacle/config";

import { kasConfigSchema } from "./schema.ts";

/** Where the page about kas' configuration is kept. */
export const kasReferenceFile = join(import.meta.dirname, "../../../../docs/reference/kas-config.md");

/** The page as the schema says it now. */
export function kasReferencePage(): string {
  return referencePage(kasConfigSchema, "Configuration of kas");
}
