import { createSecretKey, type KeyObject } from "node:crypto";

import { readSecretFile } from "@binnacle/config";
import { Fault, type Clock } from "@binnacle/rpc";
import { jwtVerify } from "jose";

/** Of whom the dashboard asserts that the main application shows them an agent. */
export const AGENT_READER_HEADER = "binnacle-agent-reader";

const ISSUER = "binnacle-web";
const AUDIENCE = "binnacle-kas/agents";
const MAX_LIFETIME_S = 60;
const SKEW_S = 5;

/**
 * Checks the dashboard's assertion that the main application has just shown an agent to a viewer, as one of the agent's own project. A
 * member of that project may not use the agent before its first connection, because the main application has no `user_access` of it yet. The
 * assertion opens the status of that one agent and nothing of its cluster.
 */
export class AgentReaderGate {
  readonly #key: KeyObject;
  readonly #clock: Clock;

  constructor(secret: Uint8Array, clock: Clock) {
    this.#key = createSecretKey(secret);
    this.#clock = clock;
  }

  /** @param path `agent.kubernetes_api.manifest_reader_secret_file`; absent: no assertion is accepted. @throws ConfigError */
  static ofFile(path: string | undefined, clock: Clock): AgentReaderGate | undefined {
    if (path === undefined) return undefined;
    return new AgentReaderGate(readSecretFile(path, "agent.kubernetes_api.manifest_reader_secret_file"), clock);
  }

  /** @returns user name of the viewer. @throws Fault `jwt_invalid` when the assertion is none, is old, or is about another agent */
  async check(token: string, agentId: bigint): Promise<string> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ["HS256"],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ["exp", "iat", "sub"],
        clockTolerance: SKEW_S,
        maxTokenAge: MAX_LIFETIME_S,
        currentDate: new Date(this.#clock.now()),
      });
      if (payload["agent_id"] !== String(agentId)) throw new Error("it is about another agent");
      return payload.sub ?? "";
    } catch (error) {
      throw new Fault("jwt_invalid", "the dashboard's assertion about a viewer is not valid", { cause: error });
    }
  }
}
