import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { ConfigFile } from "../config/config-files.ts";
import { warnIfOpen } from "../config/file-permissions.ts";
import { followFiles } from "../config/follow-files.ts";
import { parseSessionKeys, randomSessionKeys, SessionKeyRing, type SessionKeys } from "../config/session-keys.ts";

const KEY = "session.secret_file";

/** Session keys as the configuration has them, followed while the file changes. */
export interface OpenSessionKeys {
  readonly ring: SessionKeyRing;
  close(): void;
}

/** Opens the keys of the file; without one they are this process's own, which is said once. */
export function openSessionKeys(
  file: ConfigFile<SessionKeys> | undefined,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): OpenSessionKeys {
  if (file === undefined) {
    log.warn({ key: KEY }, "there is no session key file: a restart signs everybody out, and another process knows none of our sessions");
    return { ring: new SessionKeyRing(randomSessionKeys()), close: () => undefined };
  }
  warnIfOpen(file.file, KEY, log);
  const ring = new SessionKeyRing(file.content);
  const use = ([text = ""]: readonly string[]): void => {
    ring.replace(parseSessionKeys(text));
    warnIfOpen(file.file, KEY, log);
  };
  return { ring, close: followFiles({ files: [file], key: KEY, use, clock, log }) };
}
