import { hash, randomBytes } from "node:crypto";

/**
 * Keys of maps that hold credentials: a digest with a secret of this process, so that neither a missing input nor a memory dump gives
 * one away. SHA-256 over the secret and then the inputs: no digest leaves the process, so a length-extension attack, against which HMAC
 * protects, is not possible; and SHA-256 is cheap enough for each request.
 */
export class KeyedDigest {
  readonly #secret = randomBytes(32).toString("base64");

  /** @param inputs each one counts, and so do the bounds between them */
  of(inputs: readonly string[]): string {
    let text = this.#secret;
    for (const input of inputs) text += `${input.length}:${input}`;
    return hash("sha256", text, "base64");
  }
}
