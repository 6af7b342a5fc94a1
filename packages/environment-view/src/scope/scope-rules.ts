import type { CustomEdgeRule } from "@binnacle/graph";

import type { HealthRules, RuleAnswer } from "./health-rules.ts";

/** A rule of health as its author wrote it; the program that runs it knows its languages. */
export interface HealthScript {
  readonly engine: "lua" | "cel";
  /** Where it stands, for people. */
  readonly source: string;
  /** `<group>/<kind>`, of the core group `/<kind>`; `*` and `?` stand for characters. */
  readonly pattern: string;
  readonly version?: string;
  readonly text: string;
  /** Names engine and text. */
  readonly hash: string;
}

/** Rules that hold for one scope alone, beside those that hold for all of its cluster. Data: all users of a scope share them. */
export interface ScopeRules {
  /** Identifies the content: the same rules of any author have the same name. */
  readonly id: string;
  /** Before those of the cluster; of one id these win. */
  readonly edges: readonly CustomEdgeRule[];
  /** Before all others. */
  readonly health: readonly HealthScript[];
  /** Kinds that are not shown, `Group/Kind`, of the core group the kind alone. */
  readonly hidden: readonly string[];
  /** Kinds that are shown and left out of the roll-up. */
  readonly ignored: readonly string[];
}

/** Health rules of a scope, ready for evaluation. */
export interface OpenScopeRules {
  readonly rules: HealthRules;
  /** Call it once. */
  close(): void;
}

/** Prepares the health rules of a scope for evaluation. */
export type OpenHealthRules = (rules: ScopeRules) => OpenScopeRules;

/** Two sets of rules as one: the second is used only for kinds that the first has no rule for. */
export class LayeredRules implements HealthRules {
  readonly #first: HealthRules;
  readonly #second: HealthRules;

  constructor(first: HealthRules, second: HealthRules) {
    this.#first = first;
    this.#second = second;
  }

  ruleFor(apiVersion: string, kind: string): { readonly source: string } | undefined {
    return this.#first.ruleFor(apiVersion, kind) ?? this.#second.ruleFor(apiVersion, kind);
  }

  lookup(object: Parameters<HealthRules["lookup"]>[0]): RuleAnswer {
    const answer = this.#first.lookup(object);
    return answer.kind === "none" ? this.#second.lookup(object) : answer;
  }

  onChange(listener: () => void): () => void {
    const ends = [this.#first.onChange(listener), this.#second.onChange(listener)];
    return () => {
      for (const end of ends) end();
    };
  }
}

/** Kinds as one writes them, `Group/Kind`. */
export function kindNameOf({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return group === "" ? kind : `${group}/${kind}`;
}
