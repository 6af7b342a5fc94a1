import type { Clock } from "@binnacle/rpc";
import type { Secret } from "@binnacle/telemetry";
import { SignJWT } from "jose";

/** Header with the assertion. */
const HEADER = "binnacle-agent-reader";
const ISSUER = "binnacle-web";
const AUDIENCE = "binnacle-kas/agents";
const LIFETIME_S = 30;

/**
 * Asserts to kas that the main application has just shown an agent to a viewer, as one of its project: before its first connection nobody may
 * use an agent, and kas cannot check membership (docs/design/agents.md "Who may read it"). It is sent beside the viewer's own credential.
 */
export class AgentReaderAssertion {
  readonly #secret: Secret;
  readonly #clock: Clock;

  /** @param secret base64 */
  constructor(secret: Secret, clock: Clock) {
    this.#secret = secret;
    this.#clock = clock;
  }

  /** Headers for one viewer and one agent, for half a minute. */
  async headers({ agentId, username }: { readonly agentId: bigint; readonly username: string }): Promise<Readonly<Record<string, string>>> {
    const nowS = Math.floor(this.#clock.now() / 1_000);
    const token = await new SignJWT({ agent_id: String(agentId) })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(username)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + LIFETIME_S)
      .sign(Buffer.from(this.#secret.reveal(), "base64"));
    return { [HEADER]: token };
  }
}
