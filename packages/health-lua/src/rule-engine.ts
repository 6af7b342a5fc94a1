import type { HealthResult } from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import { isStrike, resultOf, unknown } from "./rule-outcome.ts";
import { RuleWorker } from "./rule-worker.ts";
import type { UserRule } from "./user-rule.ts";

const MAX_OBJECT_LENGTH = 4 * 1024 * 1024;
const MAX_DISABLED = 10_000;
const STRIKES = 3;
const STRIKE_WINDOW_MS = 10 * 60 * 1000;

/** What a rule says about an object. */
export interface Evaluated {
  readonly result: HealthResult | null;
  /** Whether the same object will have the same result: not after a limit was hit, which a busy machine may be to blame for. */
  readonly lasting: boolean;
}

/**
 * Runs rules in a worker thread of its own, which starts with the first evaluation and costs about 40 MiB; one engine can serve many
 * `UserRules`. A rule that hits a limit three times within ten minutes is switched off until the process ends or its text changes.
 */
export class RuleEngine {
  readonly #clock: Clock;
  readonly #worker: RuleWorker;
  readonly #strikes = new Map<string, readonly number[]>();
  readonly #disabled = new Map<string, HealthResult>();

  /** @param options `clock` measures the 250 ms a run may take, and the ten minutes in which three strikes count */
  constructor(options: { readonly clock: Clock }) {
    this.#clock = options.clock;
    this.#worker = new RuleWorker(options.clock);
  }

  /** What the rule says without being run: it cannot run, or was switched off. */
  refusal(rule: UserRule): HealthResult | undefined {
    if (rule.problem === undefined) return this.#disabled.get(rule.hash);
    return unknown(rule.engine, "Invalid", `The health rule of ${rule.source} cannot run: ${rule.problem}`);
  }

  /**
   * Health of the object as the rule sees it; `null` when the rule says nothing (no opinion). Never rejects: whatever goes wrong is
   * Unknown with a reason. Evaluations that are asked for in one turn travel together.
   */
  async evaluate(rule: UserRule, object: KubeObject): Promise<Evaluated> {
    const refused = this.refusal(rule);
    if (refused !== undefined) return { result: refused, lasting: true };
    const { engine: language, text } = rule;
    let json: string;
    try {
      json = JSON.stringify(object);
    } catch {
      return { result: unknown(language, "Error", "The resource cannot be written as JSON"), lasting: true };
    }
    if (json.length > MAX_OBJECT_LENGTH) {
      return { result: unknown(language, "Error", "The resource is longer than 4 MiB"), lasting: true };
    }
    const outcome = await this.#worker.run({ language, text, json });
    if (outcome.tag === "disabled") return { result: this.refusal(rule) ?? resultOf(language, outcome), lasting: true };
    const result = resultOf(language, outcome);
    if (!isStrike(outcome)) return { result, lasting: !["closed", "unavailable", "unstarted"].includes(outcome.tag) };
    this.#strike(rule, result?.message ?? "");
    return { result: this.refusal(rule) ?? result, lasting: this.#disabled.has(rule.hash) };
  }

  /** Ends the thread. Open and later evaluations are Unknown "LuaClosed" or "CelClosed". */
  close(): Promise<void> {
    return this.#worker.close();
  }

  #strike(rule: UserRule, message: string): void {
    const now = this.#clock.now();
    const strikes = [...(this.#strikes.get(rule.hash) ?? []).filter((at) => now - at < STRIKE_WINDOW_MS), now];
    this.#strikes.delete(rule.hash);
    this.#strikes.set(rule.hash, strikes);
    forgetOldest(this.#strikes);
    if (strikes.length < STRIKES) return;
    this.#strikes.delete(rule.hash);
    const word = rule.engine === "lua" ? "script" : "expression";
    const sentence = `The health ${word} is switched off after ${STRIKES} failures, the last one: ${message}`;
    this.#disabled.set(rule.hash, unknown(rule.engine, "Disabled", sentence));
    forgetOldest(this.#disabled);
    this.#worker.disable(rule.text);
  }
}

function forgetOldest(map: Map<string, unknown>): void {
  if (map.size <= MAX_DISABLED) return;
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}
