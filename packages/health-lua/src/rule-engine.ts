import type { HealthResult } from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";
import { quoted, words, type Words } from "@binnacle/words";

import { machineClock, type Clock } from "./clock.ts";
import { isStrike, resultOf, unknown } from "./rule-outcome.ts";
import { RuleWorker } from "./rule-worker.ts";
import type { UserRule } from "./user-rule.ts";

const MAX_OBJECT_LENGTH = 4 * 1024 * 1024;
const MAX_DISABLED = 10_000;
const STRIKES = 3;
const STRIKE_WINDOW_MS = 10 * 60 * 1000;
const DISABLED_MS = 5 * 60 * 1000;

/** Result of a rule for an object. */
export interface Evaluated {
  readonly result: HealthResult | null;
  /** Whether the same object will have the same result: not after a limit was hit, which a busy machine may be to blame for. */
  readonly lasting: boolean;
}

/** Result of a rule without a run. */
export interface Refusal {
  readonly result: HealthResult;
  /** When it may be evaluated again, in milliseconds since the epoch; absent: never. */
  readonly untilMs?: number;
}

/** One run of a rule. */
export interface Evaluation {
  readonly rule: UserRule;
  readonly object: KubeObject;
  /** Whose rule it is, opaque; tenants do not share strikes, and share the thread fairly. Default: one for all. */
  readonly tenant?: string;
}

/**
 * Runs rules in a worker thread of its own, which starts with the first evaluation and costs about 40 MiB; one engine can serve many
 * `UserRules` of many tenants. A rule that hits a limit three times within ten minutes is switched off for five, for its tenant alone.
 */
export class RuleEngine {
  readonly #clock: Clock;
  readonly #worker: RuleWorker;
  readonly #strikes = new Map<string, readonly number[]>();
  readonly #disabled = new Map<string, Required<Refusal>>();

  /** @param options `clock` measures the 250 ms a run may take, and the ten minutes in which three strikes count; default: the machine's */
  constructor({ clock = machineClock }: { readonly clock?: Clock } = {}) {
    this.#clock = clock;
    this.#worker = new RuleWorker(clock);
  }

  /** Result of the rule without a run: it cannot run, or is switched off for this tenant. */
  refusal(rule: UserRule, tenant = ""): Refusal | undefined {
    if (rule.problem !== undefined) {
      return { result: unknown(rule.engine, "Invalid", words("rule/invalid", { source: rule.source, said: quoted(rule.problem) })) };
    }
    const key = keyOf(rule, tenant);
    const disabled = this.#disabled.get(key);
    if (disabled === undefined || this.#clock.now() < disabled.untilMs) return disabled;
    this.#disabled.delete(key);
    return undefined;
  }

  /**
   * Health of the object as the rule sees it; `null` when the rule has no opinion. Never rejects: whatever goes wrong is
   * Unknown with a reason. Evaluations that are requested in one turn are sent together.
   */
  async evaluate({ rule, object, tenant = "" }: Evaluation): Promise<Evaluated> {
    const refused = this.refusal(rule, tenant);
    if (refused !== undefined) return evaluatedAs(refused);
    const { engine: language, text } = rule;
    let json: string;
    try {
      json = JSON.stringify(object);
    } catch {
      return { result: unknown(language, "Error", words("rule/not-json")), lasting: true };
    }
    if (json.length > MAX_OBJECT_LENGTH) {
      return { result: unknown(language, "Error", words("rule/too-large")), lasting: true };
    }
    const outcome = await this.#worker.run({ language, text, json }, tenant);
    const result = resultOf(language, outcome);
    if (isStrike(outcome)) this.#strike(rule, tenant, result?.message);
    else if (outcome.tag !== "disabled") return { result, lasting: !PASSING.has(outcome.tag) };
    const refusal = this.refusal(rule, tenant);
    return refusal === undefined ? { result, lasting: false } : evaluatedAs(refusal);
  }

  /** Ends the thread. Open and later evaluations are Unknown "LuaClosed" or "CelClosed". */
  close(): Promise<void> {
    return this.#worker.close();
  }

  #strike(rule: UserRule, tenant: string, message: Words | undefined): void {
    const key = keyOf(rule, tenant);
    const now = this.#clock.now();
    const strikes = [...(this.#strikes.get(key) ?? []).filter((at) => now - at < STRIKE_WINDOW_MS), now];
    this.#strikes.delete(key);
    this.#strikes.set(key, strikes);
    forgetOldest(this.#strikes);
    if (strikes.length < STRIKES) return;
    this.#strikes.delete(key);
    const untilMs = now + DISABLED_MS;
    const until = new Date(untilMs).toISOString().replace(/\.\d+Z$/, "Z");
    const result = unknown(rule.engine, "Disabled", words("rule/switched-off", { until, count: STRIKES, said: message }));
    this.#disabled.delete(key);
    this.#disabled.set(key, { result, untilMs });
    forgetOldest(this.#disabled);
    this.#worker.disable(rule.text, tenant);
  }
}

/** Ends of a run that say nothing of the rule. */
const PASSING: ReadonlySet<string> = new Set(["closed", "unavailable", "unstarted", "busy"]);

function keyOf(rule: UserRule, tenant: string): string {
  return `${rule.hash} ${tenant}`;
}

function evaluatedAs({ result, untilMs }: Refusal): Evaluated {
  return { result, lasting: untilMs === undefined };
}

function forgetOldest(map: Map<string, unknown>): void {
  if (map.size <= MAX_DISABLED) return;
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}
