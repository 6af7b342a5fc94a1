import { createSecretKey, type KeyObject } from "node:crypto";

import { readSecretFile } from "@binnacle/config";
import { Fault, type Clock } from "@binnacle/rpc";
import { jwtVerify } from "jose";

/** Of whom the dashboard says that they may read a manifest project. */
export const READER_HEADER = "binnacle-manifest-reader";

const ISSUER = "binnacle-web";
const AUDIENCE = "binnacle-kas/manifests";
const MAX_LIFETIME_S = 60;
const SKEW_S = 5;

/** The manifests that a caller may read. */
export interface ReadManifests {
  readonly agentId: bigint;
  /** As the agent's configuration names it. */
  readonly project: string;
}

/**
 * Checks the dashboard's assertion that a viewer may read a manifest project, because kas cannot query this right with the viewer's
 * credential (ADR 16). The assertion is sent beside that credential, never instead of it.
 */
export class ReaderGate {
  readonly #key: KeyObject;
  readonly #clock: Clock;

  constructor(secret: Uint8Array, clock: Clock) {
    this.#key = createSecretKey(secret);
    this.#clock = clock;
  }

  /** @param path `agent.kubernetes_api.manifest_reader_secret_file`; absent: no caller is known to read manifests. @throws ConfigError */
  static ofFile(path: string | undefined, clock: Clock): ReaderGate | undefined {
    if (path === undefined) return undefined;
    return new ReaderGate(readSecretFile(path, "agent.kubernetes_api.manifest_reader_secret_file"), clock);
  }

  /** @throws Fault `jwt_invalid` when the word is none, is old, or is about something else */
  async check(token: string, { agentId, project }: ReadManifests): Promise<void> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ["HS256"],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ["exp", "iat"],
        clockTolerance: SKEW_S,
        maxTokenAge: MAX_LIFETIME_S,
        currentDate: new Date(this.#clock.now()),
      });
      if (payload["agent_id"] !== String(agentId) || payload["project"] !== project) throw new Error("it is about another project");
    } catch (error) {
      throw new Fault("jwt_invalid", "the word of the dashboard about a reader is not valid", { cause: error });
    }
  }
}
