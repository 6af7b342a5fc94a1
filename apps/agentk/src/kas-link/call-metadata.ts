import { randomBytes, randomUUID } from "node:crypto";

import type { Metadata } from "@binnacle/grpc-wire";

import { PRODUCT } from "../base/build-info.ts";
import type { CachedFile } from "../base/cached-file.ts";

/** What this agentk can do beyond v14.1.1, comma separated, as kas reads it from `agentk-caps`. */
const CAPABILITIES = "impersonation,upgrade,logs";

/** The metadata of every call to kas: who we are, by token, and which process of the agent. */
export class CallMetadata {
  readonly #token: CachedFile;
  /** Random per process, so that kas can address this replica. */
  readonly instance: string = randomUUID();
  /** The same as a positive number, for kas that registers agents. */
  readonly podId: bigint = (randomBytes(8).readBigUInt64BE() >> 1n) | 1n;
  #made: { readonly token: string; readonly metadata: Metadata } | undefined;

  constructor(token: CachedFile) {
    this.#token = token;
  }

  /** The same object until the token is another one. @throws Error of the file system when the token was never readable */
  get(): Metadata {
    const token = this.#token.read();
    if (this.#made?.token !== token) this.#made = { token, metadata: this.#of(token) };
    return this.#made.metadata;
  }

  #of(token: string): Metadata {
    return new Map([
      ["authorization", [`Bearer ${token}`]],
      ["agentk-instance", [this.instance]],
      ["agentk-caps", [CAPABILITIES]],
      ["user-agent", [PRODUCT]],
    ]);
  }

  /** kas refused the token: read the file again before the next call. */
  refused(): void {
    this.#token.expire();
  }
}
