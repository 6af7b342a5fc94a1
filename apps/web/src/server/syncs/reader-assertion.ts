import type { Clock } from "@binnacle/rpc";
import type { Secret } from "@binnacle/telemetry";
import { SignJWT } from "jose";

/** Header with the assertion. */
const HEADER = "binnacle-manifest-reader";
const ISSUER = "binnacle-web";
const AUDIENCE = "binnacle-kas/manifests";
const LIFETIME_S = 30;

/**
 * Asserts to kas that a viewer may read a manifest project, because the main application has shown him a commit of it: kas cannot ask that as him
 * (ADR 16). The assertion is sent beside his own credential.
 */
export class ReaderAssertion {
  readonly #secret: Secret;
  readonly #clock: Clock;

  /** @param secret base64 */
  constructor(secret: Secret, clock: Clock) {
    this.#secret = secret;
    this.#clock = clock;
  }

  /** Headers that say so of one project of one agent, for half a minute. */
  async headers({ agentId, project }: { readonly agentId: bigint; readonly project: string }): Promise<Readonly<Record<string, string>>> {
    const nowS = Math.floor(this.#clock.now() / 1_000);
    const token = await new SignJWT({ agent_id: String(agentId), project })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + LIFETIME_S)
      .sign(Buffer.from(this.#secret.reveal(), "base64"));
    return { [HEADER]: token };
  }
}
