import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

import type { Secret } from "@binnacle/telemetry";

const MAC_BYTES = 32;

/** What a signer needs. */
export interface RecordSignerOptions {
  /** Shared by all kas, bytes as base64 text; the first one signs, each of them is accepted. */
  readonly secrets: readonly [Secret, ...Secret[]];
  /** Records of one purpose are none of another. */
  readonly purpose: string;
  /** Called for each record that no kas has signed. */
  readonly onRogue?: () => void;
}

/** Signs records of kas in Redis, with their location, so that a client that can write to Redis can neither forge nor copy one. */
export class RecordSigner {
  readonly #keys: readonly [Uint8Array, ...Uint8Array[]];
  readonly #onRogue: (() => void) | undefined;

  constructor({ secrets: [first, ...others], purpose, onRogue }: RecordSignerOptions) {
    const keyOf = (secret: Secret): Uint8Array =>
      new Uint8Array(hkdfSync("sha256", Buffer.from(secret.reveal(), "base64"), "", `binnacle ${purpose} 1`, 32));
    this.#keys = [keyOf(first), ...others.map(keyOf)];
    this.#onRogue = onRogue;
  }

  /** MAC and record. @param place key in Redis, and field where the key is a hash */
  sign(place: readonly string[], record: Uint8Array): Buffer {
    return Buffer.concat([macOf(this.#keys[0], place, record), record]);
  }

  /** @returns the record; undefined, and counted, when no kas has signed it for this place */
  open(place: readonly string[], signed: Buffer): Buffer | undefined {
    const mac = signed.subarray(0, MAC_BYTES);
    const record = signed.subarray(MAC_BYTES);
    if (mac.length === MAC_BYTES && this.#keys.some((key) => timingSafeEqual(mac, macOf(key, place, record)))) return record;
    this.#onRogue?.();
    return undefined;
  }
}

function macOf(key: Uint8Array, place: readonly string[], record: Uint8Array): Buffer {
  return createHmac("sha256", key)
    .update(`${JSON.stringify(place)}\n`)
    .update(record)
    .digest();
}
