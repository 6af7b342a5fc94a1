import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

import type { KeptField } from "@binnacle/kube";
import type { Secret } from "@binnacle/telemetry";

/** What is proven: that a dashboard has written an entry as this user. Of an inventory, so that an entry cannot be copied to another one. */
export type ProvenEntry = Omit<KeptField, "proof"> & { readonly inventory: string };

/**
 * Shows that an entry of annotation `gitops.binnacle/kept-fields` was written here, for the viewer whose request it was: any user who may
 * patch the ConfigMap may write any user into it (ADR 33).
 */
export class KeptProofs {
  readonly #key: Uint8Array | undefined;

  /** @param secret base64; absent: nothing is proven */
  constructor(secret: Secret | undefined) {
    this.#key = secret && new Uint8Array(hkdfSync("sha256", Buffer.from(secret.reveal(), "base64"), "", "binnacle kept fields 1", 32));
  }

  /** Empty without a secret. */
  prove(entry: ProvenEntry): string {
    return this.#digest(entry)?.toString("base64url") ?? "";
  }

  isProven(entry: ProvenEntry, proof: string): boolean {
    const [expected, given] = [this.#digest(entry), Buffer.from(proof, "base64url")];
    return expected !== undefined && expected.length === given.length && timingSafeEqual(expected, given);
  }

  #digest({ inventory, object, field, user, atMs }: ProvenEntry): Buffer | undefined {
    if (this.#key === undefined) return undefined;
    return createHmac("sha256", this.#key)
      .update(JSON.stringify([inventory, object, field, user, atMs]))
      .digest();
  }
}
