import { hash } from "node:crypto";

import { fromBinary } from "@bufbuild/protobuf";
import type { CarriedRule, RuleSet } from "@binnacle/health-lua";
import { HealthRulesSchema, type HealthOrigin, type HealthScript } from "@binnacle/proto/kas-views";
import { Fault } from "@binnacle/rpc";

import type { RulesInForce } from "./rules-in-force.ts";

/** What one call may leave here: kas holds as much for an agent. */
const MAX_SETS = 256;
const MAX_BYTES = 8 * 1024 * 1024;

/** Rules of health that are in force together, by the name of where they come from. */
export interface NamedRules {
  /** Names the content. */
  readonly name: string;
  readonly origins: ReadonlyMap<string, RuleSet>;
}

interface Kept {
  readonly bytes: number;
  readonly rules: Promise<NamedRules>;
}

/** Rules of health that kas has sent in one call. A name is derived from the content, never taken from the sender. */
export class ReceivedRules {
  readonly #kept = new Map<string, Kept>();
  readonly #inForce: Pick<RulesInForce, "load">;
  #bytes = 0;

  /** @param inForce where they will be run */
  constructor(inForce: Pick<RulesInForce, "load">) {
    this.#inForce = inForce;
  }

  /** @throws Fault `over_budget` */
  take(bytes: Uint8Array): void {
    const name = hash("sha256", bytes, "base64");
    if (this.#kept.has(name)) return;
    if (this.#kept.size >= MAX_SETS || this.#bytes + bytes.byteLength > MAX_BYTES)
      throw new Fault("over_budget", `more than ${MAX_SETS} sets of health rules, or ${MAX_BYTES} bytes of them, in one call`);
    this.#bytes += bytes.byteLength;
    const rules = this.#read(name, bytes);
    // The request that names them receives the error.
    rules.catch(() => undefined);
    this.#kept.set(name, { bytes: bytes.byteLength, rules });
  }

  /** Drops rules that no request will name again. */
  done(name: string): void {
    this.#bytes -= this.#kept.get(name)?.bytes ?? 0;
    this.#kept.delete(name);
  }

  /** @throws Fault `invalid_request` for rules that have not been sent, or cannot be read */
  async of(name: string): Promise<NamedRules> {
    const kept = this.#kept.get(name);
    if (kept === undefined) throw new Fault("invalid_request", "a view names health rules that were not sent");
    return kept.rules;
  }

  async #read(name: string, bytes: Uint8Array): Promise<NamedRules> {
    const { carriedRuleSet, isRuleOrigin } = await this.#inForce.load();
    const setOf = ({ origin, rules }: HealthOrigin): RuleSet => {
      if (!isRuleOrigin(origin)) throw new Fault("invalid_request", "health rules come from somewhere that is not known here");
      return carriedRuleSet(origin, rules.map(carriedRule));
    };
    return { name, origins: new Map(originsIn(bytes).map((origin) => [origin.id, setOf(origin)])) };
  }
}

function originsIn(bytes: Uint8Array): readonly HealthOrigin[] {
  try {
    return fromBinary(HealthRulesSchema, bytes).origins;
  } catch (error) {
    throw new Fault("invalid_request", "health rules cannot be read", { cause: error });
  }
}

function carriedRule({ engine, source, pattern, version, text, ownerNamespace, ownerName, problem }: HealthScript): CarriedRule {
  if (engine !== "lua" && engine !== "cel")
    throw new Fault("not_implemented", "this agent does not know the language that a health rule is written in");
  return {
    engine,
    source,
    pattern,
    text,
    ...(version !== "" && { version }),
    ...(ownerName !== "" && { owner: { namespace: ownerNamespace, name: ownerName } }),
    ...(problem !== "" && { problem }),
  };
}
