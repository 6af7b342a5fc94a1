import { createHmac, createSecretKey, randomBytes } from "node:crypto";

/**
 * Keys of maps that hold credentials: an HMAC with a secret of this process, so that neither a missing input nor a memory dump gives
 * one away. The key is prepared once: preparing it costs more than the digest.
 */
export class KeyedDigest {
  readonly #secret = createSecretKey(randomBytes(32));

  /** @param inputs each one counts, and so do the bounds between them */
  of(inputs: readonly string[]): string {
    const hmac = createHmac("sha256", this.#secret);
    for (const input of inputs) hmac.update(`${Buffer.byteLength(input)}:`).update(input);
    return hmac.digest("base64");
  }
}
