import { type RuleOrigin, type RuleSet, type UserRule, createCelRule, createLuaRule, ORIGINS } from "./user-rule.ts";
import { EXPRESSION_NAMES, type CelExpressions } from "./cel-rule.ts";

const MAX_RULES = 5000;
const MAX_PATTERN_LENGTH = 512;
const MAX_PROBLEMS = 100;

/** Rules and problems of one origin, cut at 5,000 rules and 100 sentences; a rule that cannot run, or whose pattern is too long, is a problem. */
export function ruleSetOf(origin: RuleOrigin, rules: readonly UserRule[], problems: readonly string[]): RuleSet {
  const sentences = [...problems];
  const usable: UserRule[] = [];
  for (const rule of rules) {
    if (rule.pattern.length > MAX_PATTERN_LENGTH) {
      sentences.push(`${rule.source}: the name of the kind is longer than ${MAX_PATTERN_LENGTH} characters`);
      continue;
    }
    if (usable.length >= MAX_RULES) {
      sentences.unshift(`${rule.source}: there are more than ${MAX_RULES} rules; this one and those after it are left out`);
      break;
    }
    usable.push(rule);
    if (rule.problem !== undefined) sentences.push(`${rule.source}: ${rule.problem}`);
  }
  const more = sentences.length - MAX_PROBLEMS;
  return { origin, rules: usable, problems: more > 0 ? [...sentences.slice(0, MAX_PROBLEMS), `and ${more} more problems`] : sentences };
}

/** The first line of an error: what follows is an excerpt of the input. */
export function firstLineOf(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n")[0] ?? "").replace(/:$/, "") : "unreadable";
}

/** A rule as it travels between two programs. Its hash does not: the receiver computes it from what it runs. */
export type CarriedRule = Omit<UserRule, "hash">;

/** The rules of one origin, as another program has read them. What cannot be run is a problem of the set, as where it was read. Never throws. */
export function carriedRuleSet(origin: RuleOrigin, rules: readonly CarriedRule[]): RuleSet {
  return ruleSetOf(origin, rules.map(arrived), []);
}

/** Whether it is a word for where rules come from. */
export function isRuleOrigin(text: string): text is RuleOrigin {
  return (ORIGINS as readonly string[]).includes(text);
}

function arrived({ engine, text, problem, ...place }: CarriedRule): UserRule {
  const rule = engine === "lua" ? createLuaRule(place, text) : createCelRule(place, ...expressionsIn(text));
  return problem === undefined ? rule : { ...rule, problem };
}

function expressionsIn(text: string): [expressions: CelExpressions, problem?: string] {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    read = undefined;
  }
  const fields = new Map(Object.entries(typeof read === "object" && read !== null ? read : {}));
  const texts = EXPRESSION_NAMES.map((name) => [name, fields.get(name) ?? ""] as const);
  if (fields.size === 0 || texts.some(([, expression]) => typeof expression !== "string"))
    return [{ current: "" }, "its expressions did not arrive as they were read"];
  // Checked one line above.
  return [Object.fromEntries(texts) as unknown as CelExpressions];
}
