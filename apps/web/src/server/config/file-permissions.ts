import { statSync } from "node:fs";

import type { Logger } from "@binnacle/telemetry";

/** Reading by others, and writing by anybody but the owner. */
const TOO_OPEN = 0o027;

/** Warns about a file with a secret that more people can read or write than its owner and readers of its group. */
export function warnIfOpen(file: string, key: string, log: Logger): void {
  // Whether it can be read at all is checked by its reader.
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & TOO_OPEN) === 0) return;
  const now = (mode & 0o777).toString(8).padStart(4, "0");
  log.warn({ key, file, mode: now }, "others can read a file with a secret: chmod 0600 it, in Kubernetes set defaultMode: 0400");
}
