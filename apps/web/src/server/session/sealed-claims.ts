import type { Clock } from "@binnacle/rpc";
import { EncryptJWT, errors, jwtDecrypt, type JWTPayload } from "jose";

import type { SessionKeyRing } from "../config/session-keys.ts";

/** What a sealed text is for; one for another purpose, or of another version, does not open. */
export interface SealPurpose {
  readonly audience: string;
  /** With the version of its claims. */
  readonly type: string;
}

/** Claims that were opened. */
export interface OpenedClaims {
  readonly payload: JWTPayload;
  /** Of the key they were sealed with. */
  readonly keyId: string;
}

/** Texts that only processes with our keys can read or make: JWE, AES-256-GCM under the key itself. */
export class SealedClaims {
  readonly #keys: SessionKeyRing;
  readonly #clock: Clock;
  readonly #purpose: SealPurpose;

  constructor(keys: SessionKeyRing, clock: Clock, purpose: SealPurpose) {
    this.#keys = keys;
    this.#clock = clock;
    this.#purpose = purpose;
  }

  /** @param expiresAtSeconds since the epoch: from then on the text does not open */
  async seal(claims: JWTPayload, expiresAtSeconds: number): Promise<string> {
    const { id: kid, secret } = this.#keys.sealing;
    return new EncryptJWT(claims)
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid, typ: this.#purpose.type })
      .setAudience(this.#purpose.audience)
      .setExpirationTime(expiresAtSeconds)
      .encrypt(Buffer.from(secret.reveal(), "base64"));
  }

  /** `undefined` for a text that has expired, was changed, or is not ours or not for this purpose. */
  async open(text: string): Promise<OpenedClaims | undefined> {
    try {
      const { payload, protectedHeader } = await jwtDecrypt(text, ({ kid }) => this.#bytesOf(kid), {
        audience: this.#purpose.audience,
        typ: this.#purpose.type,
        keyManagementAlgorithms: ["dir"],
        contentEncryptionAlgorithms: ["A256GCM"],
        currentDate: new Date(this.#clock.now()),
      });
      return { payload, keyId: protectedHeader.kid ?? "" };
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }

  #bytesOf(kid: string | undefined): Uint8Array {
    const key = this.#keys.find(kid);
    if (key === undefined) throw new errors.JWEDecryptionFailed();
    return Buffer.from(key.secret.reveal(), "base64");
  }
}
