import { Fault, type Clock, type FaultReason } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import { SampledLog } from "../limits/sampled-log.ts";

/** What was shown. */
export type CredentialKind = "agent_token" | "session_cookie" | "personal_access_token" | "id_token" | "job_token";

/** A credential that is looked at. */
export interface ShownCredential {
  readonly kind: CredentialKind;
  /** Where it came from. */
  readonly address?: string | undefined;
}

/** Hears of credentials that were refused. */
export interface RefusalRecorder {
  /** Runs `look`, and takes note if it throws a `Fault`. What it throws goes on. */
  watch<T>(shown: ShownCredential, look: () => Promise<T>): Promise<T>;
}

/** Takes no note. */
export const noRefusals: RefusalRecorder = { watch: (_shown, look) => look() };

/** What the recorder needs. */
export interface RefusedCredentialsOptions {
  readonly clock: Clock;
  readonly log: Pick<Logger, "info">;
  /** Counts each one. Both labels come from closed sets. */
  readonly count: (kind: CredentialKind, reason: FaultReason) => void;
}

/**
 * Counts refused credentials by kind and reason, and logs the first of each (kind, reason, address) in a minute, with how many there
 * were since the last line. A caller who left was not refused.
 */
export class RefusedCredentials implements RefusalRecorder {
  readonly #options: RefusedCredentialsOptions;
  readonly #sampled: SampledLog;

  constructor(options: RefusedCredentialsOptions) {
    this.#options = options;
    this.#sampled = new SampledLog(options.clock);
  }

  async watch<T>(shown: ShownCredential, look: () => Promise<T>): Promise<T> {
    try {
      return await look();
    } catch (error) {
      if (error instanceof Fault && error.reason !== "cancelled") this.#record(shown, error.reason);
      throw error;
    }
  }

  #record({ kind, address }: ShownCredential, reason: FaultReason): void {
    const { log, count } = this.#options;
    count(kind, reason);
    this.#sampled.event(`${kind} ${reason} ${address ?? ""}`, (refused) =>
      log.info({ credential_kind: kind, reason, client_address: address ?? "unknown", count: refused }, "a credential was refused"),
    );
  }
}
