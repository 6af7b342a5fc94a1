import type { Clock } from "@binnacle/rpc";
import { z } from "zod";

import { SealedClaims } from "./sealed-claims.ts";
import type { SessionKeyRing } from "../config/session-keys.ts";

/** A session that is over before its time. */
export interface EndedSession {
  readonly id: string;
  /** When it would have been over anyway. */
  readonly expiresAtMs: number;
}

const claimsSchema = z.object({ sid: z.string().min(1).max(64), exp: z.number() });

/** Seals and opens the notice that a session has ended, which one web process sends to another. A repeated notice has no further effect. */
export class EndNotice {
  readonly #claims: SealedClaims;

  constructor(keys: SessionKeyRing, clock: Clock) {
    this.#claims = new SealedClaims(keys, clock, { audience: "binnacle-web-ended", type: "binnacle-ended-1" });
  }

  seal({ id, expiresAtMs }: EndedSession): Promise<string> {
    return this.#claims.seal({ sid: id }, Math.ceil(expiresAtMs / 1_000));
  }

  /** `undefined` for a text that no web process has sealed. */
  async open(text: string): Promise<EndedSession | undefined> {
    const claims = claimsSchema.safeParse((await this.#claims.open(text))?.payload).data;
    return claims && { id: claims.sid, expiresAtMs: claims.exp * 1_000 };
  }
}
