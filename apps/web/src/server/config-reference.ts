import { join } from "node:path";

import { referencePage } from "@binnacle/config";

import { webConfigSchema } from "./config.ts";

/** Where the page about web's configuration is kept. */
export const webReferenceFile = join(import.meta.dirname, "../../../../docs/reference/web-config.md");

/** The page as the schema says it now. */
export function webReferencePage(): string {
  return referencePage(webConfigSchema, "Configuration of web");
}
