import type { Logger } from "@binnacle/telemetry";

import type { ObjectWriter } from "./object-writer.ts";

/** Starts every controller; the returned function stops them all. */
export function startControllers(_writer: ObjectWriter, _options: { readonly log: Logger; readonly caPem: string }): () => void {
  return () => undefined;
}
