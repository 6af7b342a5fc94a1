import type { RuleOrigin, RuleSet, UserRule } from "./user-rule.ts";

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
