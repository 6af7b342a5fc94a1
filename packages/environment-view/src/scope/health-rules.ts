import type { HealthResult } from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";

/** What the rules of users say about one object. */
export type RuleAnswer =
  /** No rule of a user is for this kind: the built-in one decides. */
  | { readonly kind: "none" }
  /** `null`: the rule has no opinion, and neither have we. */
  | { readonly kind: "known"; readonly result: HealthResult | null; readonly rule: { readonly source: string } }
  /** Being evaluated; ask again once `settled`, which never rejects, has settled. */
  | { readonly kind: "pending"; readonly settled: Promise<void>; readonly rule: { readonly source: string } };

/** Rules of users, which win over the built-in ones. `UserRules` of `@binnacle/health-lua` is one such. */
export interface HealthRules {
  /** The rule that `lookup` would ask for objects of a kind; `undefined`: none. Never throws. */
  ruleFor(apiVersion: string, kind: string): { readonly source: string } | undefined;
  /** Never throws, and answers at once. */
  lookup(object: KubeObject): RuleAnswer;
  /** Calls `listener` whenever other rules are in force. @returns ends it */
  onChange(listener: () => void): () => void;
}
