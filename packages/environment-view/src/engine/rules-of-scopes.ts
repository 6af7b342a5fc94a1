import type { CustomEdgeRule } from "@binnacle/graph";

import { edgesBefore } from "../scope/edge-precedence.ts";
import type { HealthRules } from "../scope/health-rules.ts";
import { LayeredRules, type OpenHealthRules, type ScopeRules } from "../scope/scope-rules.ts";
import type { ObjectKeeper } from "../objects/object-keeper.ts";

/** What judges the objects of a scope and draws its edges. */
interface RulesInForce {
  readonly rules: HealthRules | undefined;
  readonly customEdges: readonly CustomEdgeRule[];
}

/** Rules in force until they are given back. */
export interface HeldRules extends RulesInForce {
  /** What is the scope's own among the health rules. */
  readonly own: HealthRules | undefined;
  /** Call it once. */
  release(): void;
}

/** What all scopes of a cluster have in common. */
export interface RulesOfScopesOptions extends RulesInForce {
  /** Absent: scopes have no health rules of their own. */
  readonly openHealthRules: OpenHealthRules | undefined;
  /** Keeps whole what the rules of scopes read, for as long as they are held. */
  readonly keeper: ObjectKeeper;
}

/** Puts the rules of a scope before those of its cluster. Objects stay shared: only what is kept of them grows. */
export class RulesOfScopes {
  readonly #options: RulesOfScopesOptions;

  constructor(options: RulesOfScopesOptions) {
    this.#options = options;
  }

  hold(own: ScopeRules | undefined): HeldRules {
    const { rules, customEdges, keeper, openHealthRules } = this.#options;
    if (own === undefined) return { rules, customEdges, own: undefined, release: () => {} };
    const opened = own.health.length === 0 ? undefined : openHealthRules?.(own);
    const letGo = keeper.hold({ edges: own.edges, rules: opened?.rules });
    return {
      rules: opened && rules ? new LayeredRules(opened.rules, rules) : (opened?.rules ?? rules),
      customEdges: edgesBefore(own.edges, customEdges),
      own: opened?.rules,
      release: () => {
        letGo();
        opened?.close();
      },
    };
  }
}
