import { ORIGINS, type RuleSet, type UserRule } from "./user-rule.ts";

/** A kind, and the Kustomization of Flux that applied the object, where there is one. */
export interface RuleQuestion {
  /** Empty for core. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly owner?: { readonly namespace: string; readonly name: string };
}

interface Placed {
  readonly rule: UserRule;
  /** Sorts before everything of an origin that it wins over. */
  readonly rank: number;
}

const MAX_REMEMBERED = 10_000;

/**
 * Which rule is for a kind: exact names before wildcards, then wildcards with more literal characters; among equals file before argocd-cm
 * before Flux; then the rule of the object's own Kustomization, the rule for the very version, and the smaller origin id.
 */
export class RuleIndex {
  readonly #exact = new Map<string, Placed[]>();
  readonly #wildcards: Placed[] = [];
  readonly #answers = new Map<string, UserRule | undefined>();

  constructor(sets: ReadonlyMap<string, RuleSet>) {
    const ordered = [...sets].toSorted(([a], [b]) => (a < b ? -1 : 1));
    for (const [, { origin, rules }] of ordered) {
      for (const rule of rules) this.#add({ rule, rank: ORIGINS.indexOf(origin) });
    }
    // Sorting is stable: origin ids and the order within an origin decide what is left.
    this.#wildcards.sort((a, b) => literals(b.rule.pattern) - literals(a.rule.pattern) || a.rank - b.rank);
  }

  find(question: RuleQuestion): UserRule | undefined {
    const { group, version, kind, owner } = question;
    const key = JSON.stringify([group, version, kind, owner?.namespace, owner?.name]);
    if (this.#answers.has(key)) return this.#answers.get(key);
    if (this.#answers.size >= MAX_REMEMBERED) this.#answers.clear();
    const name = `${group}/${kind}`;
    const found = best(this.#exact.get(name) ?? [], question) ?? this.#wildcards.find(({ rule }) => globMatches(rule.pattern, name))?.rule;
    this.#answers.set(key, found);
    return found;
  }

  #add(placed: Placed): void {
    const { pattern } = placed.rule;
    if (/[*?]/.test(pattern)) this.#wildcards.push(placed);
    else {
      const known = this.#exact.get(pattern);
      if (known === undefined) this.#exact.set(pattern, [placed]);
      else known.push(placed);
    }
  }
}

function best(candidates: readonly Placed[], question: RuleQuestion): UserRule | undefined {
  let found: Placed | undefined;
  for (const candidate of candidates) {
    if (found === undefined || distance(candidate, question) < distance(found, question)) found = candidate;
  }
  return found?.rule;
}

function distance({ rule, rank }: Placed, { version, owner }: RuleQuestion): number {
  const own = rule.owner === undefined || (rule.owner.name === owner?.name && rule.owner.namespace === owner.namespace);
  return 4 * rank + (own ? 0 : 2) + (rule.version === undefined || rule.version === version ? 0 : 1);
}

function literals(pattern: string): number {
  return pattern.replaceAll(/[*?]/g, "").length;
}

/** Whether `text` matches a pattern where `*` is any run of characters and `?` is one. At most pattern × text steps, whatever the pattern. */
export function globMatches(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (pattern[p] === "*") {
      star = p;
      resume = t;
      p += 1;
    } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) {
      p += 1;
      t += 1;
    } else if (star >= 0) {
      p = star + 1;
      resume += 1;
      t = resume;
    } else {
      return false;
    }
  }
  while (pattern[p] === "*") p += 1;
  return p === pattern.length;
}
