import { createHash, createHmac, randomBytes } from "node:crypto";

import type { Secret } from "@binnacle/telemetry";

/** Names for credentials inside this process, which reveal nothing about them, not even to readers of another process's log. */
export class CredentialNames {
  readonly #key = randomBytes(32);

  /** The same each time for the same credential. */
  of(credential: Secret): string {
    return createHmac("sha256", this.#key).update(credential.reveal()).digest("base64url");
  }
}

/**
 * The name of a session as pages know it: the same in every process, so that pages find each other whichever process served them.
 *
 * @param unguessable what only this session has: a session id, or a session cookie, of 128 random bits or more
 */
export function sessionNameOf(unguessable: string): string {
  return createHash("sha256").update("binnacle session name\0").update(unguessable).digest("base64url");
}
