import type { ConfigFile } from "../config/config-files.ts";

/** A file of the configuration that is not there: for what never looks at it again. */
export function heldFile<T>(content: T): ConfigFile<T> {
  return { file: "/dev/null", content, digest: "" };
}
