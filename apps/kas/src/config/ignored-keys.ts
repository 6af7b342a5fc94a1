import { referenceRows } from "@binnacle/config";
import type { z } from "zod";

/** How the description of a key begins that is accepted and has no effect. */
export const IGNORED = "Accepted and ignored: ";

/** A key that is set and has no effect. */
export interface IgnoredKey {
  /** `agent.listen.websocket` */
  readonly path: string;
  readonly why: string;
}

/** The keys of a configuration that have no effect, each once, in the order of the schema. */
export function ignoredKeys(schema: z.ZodType, config: unknown): readonly IgnoredKey[] {
  return referenceRows(schema).flatMap(({ path, description }) =>
    description.startsWith(IGNORED) && valueAt(config, path) !== undefined ? [{ path, why: description.slice(IGNORED.length) }] : [],
  );
}

function valueAt(config: unknown, path: string): unknown {
  let value = config;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    value = new Map(Object.entries(value)).get(key);
  }
  return value;
}
