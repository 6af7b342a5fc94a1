import { createHash, randomBytes } from "node:crypto";

import { Secret } from "@binnacle/telemetry";

const KEY_BYTES = 32;
const MAX_KEYS = 2;
const KEY_LINE = /^[A-Za-z0-9+/]{43}=$/;

/** A key for AES-256-GCM. */
export interface SessionKey {
  /** Names the key in cookies: a digest, too short to tell anything about the key. */
  readonly id: string;
  /** 32 bytes as base64 text. */
  readonly secret: Secret;
}

/** Keys of one file: the first seals, all of them open. */
export type SessionKeys = readonly [SessionKey, ...SessionKey[]];

/**
 * Keys of a text with one or two lines, each 32 bytes as base64.
 *
 * @throws Error that says what the text must look like, and nothing of what it holds
 */
export function parseSessionKeys(text: string): SessionKeys {
  const [first, ...others] = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  const isKey = (line: string): boolean => KEY_LINE.test(line) && Buffer.from(line, "base64").length === KEY_BYTES;
  if (first === undefined || others.length >= MAX_KEYS || ![first, ...others].every(isKey))
    throw new Error("must hold one or two lines, each 32 bytes as base64 text (`openssl rand -base64 32` writes one)");
  return [keyOf(first), ...others.map(keyOf)];
}

/** One random key of this process only. */
export function randomSessionKeys(): SessionKeys {
  return [keyOf(randomBytes(KEY_BYTES).toString("base64"))];
}

/** The keys that are good now. */
export class SessionKeyRing {
  #keys: SessionKeys;

  constructor(keys: SessionKeys) {
    this.#keys = keys;
  }

  /** What is sealed from now on is sealed with this one. */
  get sealing(): SessionKey {
    return this.#keys[0];
  }

  /** The key of that id; `undefined` when it is no longer, or was never, good here. */
  find(id: string | undefined): SessionKey | undefined {
    return this.#keys.find((key) => key.id === id);
  }

  /** From now on these are good, and no others. */
  replace(keys: SessionKeys): void {
    this.#keys = keys;
  }
}

function keyOf(text: string): SessionKey {
  const digest = createHash("sha256").update("binnacle session key id\0").update(Buffer.from(text, "base64")).digest("base64url");
  return { id: digest.slice(0, 8), secret: new Secret(text) };
}
