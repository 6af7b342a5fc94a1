import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

import type { Clock } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";

const MOST_ENTRIES = 10_000;

/** Bounds of a store. */
export interface SealedStoreOptions {
  /** 32 bytes. */
  readonly key: Uint8Array;
  readonly clock: Clock;
  readonly ttlMs: number;
}

interface Entry {
  readonly sealed: Buffer;
  readonly expiresAtMs: number;
}

/**
 * Server-side sessions in memory, AES-256-GCM under the session secret, so that a heap dump or a core file holds no
 * credentials at rest. Bound to its id: an entry moved to another id does not open. The oldest entry leaves when full.
 */
export class SealedStore {
  readonly #entries = new Map<string, Entry>();
  readonly #cipherKey: Uint8Array;
  readonly #nameKey: Uint8Array;
  readonly #options: SealedStoreOptions;

  constructor(options: SealedStoreOptions) {
    this.#options = options;
    this.#cipherKey = derive(options.key, "binnacle session cipher");
    this.#nameKey = derive(options.key, "binnacle session names");
  }

  /** A name for a secret that tells nothing about it. */
  nameOf(secret: Secret): string {
    return createHmac("sha256", this.#nameKey).update(secret.reveal()).digest("base64url");
  }

  put(id: string, text: Secret): void {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.#cipherKey, iv);
    cipher.setAAD(Buffer.from(id));
    const body = Buffer.concat([cipher.update(text.reveal(), "utf8"), cipher.final()]);
    this.#entries.delete(id);
    this.#entries.set(id, {
      sealed: Buffer.concat([iv, cipher.getAuthTag(), body]),
      expiresAtMs: this.#options.clock.now() + this.#options.ttlMs,
    });
    const oldest = this.#entries.keys().next().value;
    if (this.#entries.size > MOST_ENTRIES && oldest !== undefined) this.#entries.delete(oldest);
  }

  get(id: string): Secret | undefined {
    const entry = this.#entries.get(id);
    if (!entry) return undefined;
    if (entry.expiresAtMs <= this.#options.clock.now()) {
      this.#entries.delete(id);
      return undefined;
    }
    const decipher = createDecipheriv("aes-256-gcm", this.#cipherKey, entry.sealed.subarray(0, 12));
    decipher.setAAD(Buffer.from(id));
    decipher.setAuthTag(entry.sealed.subarray(12, 28));
    return new Secret(Buffer.concat([decipher.update(entry.sealed.subarray(28)), decipher.final()]).toString("utf8"));
  }

  delete(id: string): void {
    this.#entries.delete(id);
  }
}

function derive(key: Uint8Array, info: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, new Uint8Array(0), info, 32));
}
