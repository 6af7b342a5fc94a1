import type { ConfigFile } from "../config-files.ts";

/** A configuration file that exists in memory only, for code that does not read it again. */
export function heldFile<T>(content: T): ConfigFile<T> {
  return { file: "/dev/null", content, digest: "" };
}
