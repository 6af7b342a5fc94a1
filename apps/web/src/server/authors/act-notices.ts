import type { Clock } from "@binnacle/rpc";

import type { SealedClaims, SealPurpose } from "../session/sealed-claims.ts";
import { viewerActSchema, type ViewerAct } from "./viewer-act.ts";

/** As long as a notice is retried. */
const NOTICE_MS = 60_000;

/** Acts of viewers, sealed as notices from one web process to another. Processes of earlier releases ignore them. */
export class ActNotices {
  readonly #claims: SealedClaims;
  readonly #clock: Clock;

  /** @param sealed texts that only the web processes of this configuration can read or make */
  constructor(sealed: (purpose: SealPurpose) => SealedClaims, clock: Clock) {
    this.#claims = sealed({ audience: "binnacle-web-act", type: "binnacle-act-1" });
    this.#clock = clock;
  }

  seal(act: ViewerAct): Promise<string> {
    return this.#claims.seal({ act }, Math.ceil((this.#clock.now() + NOTICE_MS) / 1_000));
  }

  /**
   * Opens a notice of another process.
   *
   * @returns `undefined` for a text that is no such notice of one of ours, `malformed` for one of another shape
   */
  async open(text: string): Promise<ViewerAct | "malformed" | undefined> {
    const opened = await this.#claims.open(text);
    return opened && (viewerActSchema.safeParse(opened.payload["act"]).data ?? "malformed");
  }
}
