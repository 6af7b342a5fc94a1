import { boundedWords, HEALTH_ORDER, type HealthResult } from "@binnacle/health";
import { quoted, words, type Words } from "@binnacle/words";

import type { RunOutcome } from "./rule-worker.ts";
import type { RuleLanguage } from "./worker-message.ts";

/** Prefix of reasons, the reason of a run without error, and the name of the rule. */
const LANGUAGES = {
  lua: { prefix: "Lua", ok: "HealthScript", rule: words("rule/lua") },
  cel: { prefix: "Cel", ok: "HealthExpression", rule: words("rule/cel") },
} as const;

/** "Unknown" with a stable word (prefixed with the language), and a message with the name of the rule. */
export function unknown(language: RuleLanguage, word: string, { id, facts }: Words): HealthResult {
  const { prefix, rule } = LANGUAGES[language];
  const message = boundedWords({ id, facts: { rule, ...facts } });
  return { status: "Unknown", reason: `${prefix}${word}`, message, stale: false, causes: [] };
}

/** Whether the run hit a limit of the sandbox: these count against the rule. */
export function isStrike(outcome: RunOutcome): boolean {
  return ["steps", "memory", "crash", "timeout", "lost"].includes(outcome.tag);
}

/** What a run means. `null` when the rule has no opinion. */
export function resultOf(language: RuleLanguage, outcome: RunOutcome): HealthResult | null {
  switch (outcome.tag) {
    case "ok":
      return verdictOf(language, outcome.status, outcome.message);
    case "nil":
      return null;
    case "error":
      return unknown(language, "Error", words("rule/error", { said: quoted(outcome.message) }));
    case "missing":
      return unknown(language, "MissingField", words("rule/missing-field", { said: quoted(outcome.message) }));
    case "steps":
      return unknown(language, language === "lua" ? "TooManyInstructions" : "TooManySteps", words(`rule/${language}-steps`));
    case "memory":
      return unknown(language, "OutOfMemory", words(`rule/${language}-memory`));
    case "timeout":
      return unknown(language, "Timeout", words("rule/timeout"));
    case "crash":
      return unknown(language, "Crash", words("rule/crash", { said: quoted(outcome.message) }));
    case "lost":
      return unknown(language, "Crash", words("rule/lost"));
    case "unavailable":
      return unknown(language, "Unavailable", words("rule/unavailable", { said: quoted(outcome.message.split("\n")[0] ?? "") }));
    case "unstarted":
      return unknown(language, "Unavailable", words("rule/unstarted"));
    case "busy":
      return unknown(language, "Busy", words("rule/busy"));
    case "disabled":
      return unknown(language, "Disabled", words("rule/disabled"));
    default:
      return unknown(language, "Closed", words("rule/closed"));
  }
}

function verdictOf(language: RuleLanguage, word: string, message: string): HealthResult {
  const status = HEALTH_ORDER.find((status) => status === word);
  if (status === undefined) return unknown(language, "InvalidStatus", words("rule/invalid-status"));
  const { rule, ok } = LANGUAGES[language];
  const text = message === "" ? words("rule/says", { rule, status }) : quoted(message);
  return { status, reason: ok, message: boundedWords(text), stale: false, causes: [] };
}
