import { hash } from "node:crypto";

import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import type { HealthScript, ScopeRules, ViewScope } from "@binnacle/environment-view";
import type { RuleSet, UserRule, UserRules } from "@binnacle/health-lua";
import { HealthRulesSchema, type HealthScriptSchema } from "@binnacle/proto/kas-views";

/** Rules that are more than this are run here: kas takes no more. */
const MAX_BYTES = 512 * 1024;

/** Health rules of users as kas and agents take them. */
export interface SentRules {
  /** Names the content. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Rules that are in force in a cluster; `undefined`: there are none. */
export function sentRules({ origins }: Pick<UserRules, "origins">): SentRules | undefined {
  const sets = [...origins].filter(([, { rules }]) => rules.length > 0).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sets.length === 0 ? undefined : encoded(sets.map(([id, { origin, rules }]) => ({ id, origin, rules })));
}

/** Health rules of a scope; `undefined`: it has none. */
export function sentRulesOf(rules: Pick<ScopeRules, "health">): SentRules | undefined {
  if (rules.health.length === 0) return undefined;
  const known = ofScopes.get(rules.health) ?? encoded([{ id: "file", origin: "file", rules: rules.health }]);
  ofScopes.set(rules.health, known);
  return known;
}

/** Whether a request to an agent can have a scope that is judged by these. @param ofCluster besides the scope's own */
export function isForAgents({ rules }: ViewScope, ofCluster: SentRules | undefined): boolean {
  const sets = [ofCluster, rules && sentRulesOf(rules)];
  return sets.every((set) => (set?.bytes.byteLength ?? 0) <= MAX_BYTES);
}

/** Scopes of a project share their rules, and are in one request. */
const ofScopes = new WeakMap<readonly HealthScript[], SentRules>();

function encoded(
  origins: readonly { readonly id: string; readonly origin: RuleSet["origin"]; readonly rules: readonly (UserRule | HealthScript)[] }[],
): SentRules {
  const content = { origins: origins.map(({ rules, ...rest }) => ({ ...rest, rules: rules.map(sentRule) })) };
  const bytes = toBinary(HealthRulesSchema, create(HealthRulesSchema, content));
  return { name: hash("sha256", bytes, "base64"), bytes };
}

/** A hash is made where rules are run. */
function sentRule(rule: UserRule | HealthScript): MessageInitShape<typeof HealthScriptSchema> {
  const { engine, source, pattern, version, text, owner, problem }: Omit<UserRule, "hash"> = rule;
  return {
    engine,
    source,
    pattern,
    text,
    ...(version !== undefined && { version }),
    ...(owner && { ownerNamespace: owner.namespace, ownerName: owner.name }),
    ...(problem !== undefined && { problem }),
  };
}
