import { HEALTH_ORDER, type HealthResult } from "@binnacle/health";

import type { RunOutcome } from "./rule-worker.ts";
import type { RuleLanguage } from "./worker-message.ts";

const WORDS = {
  lua: { prefix: "Lua", name: "The health script", ok: "HealthScript", steps: "1,000,000 instructions", memory: "64 MiB of memory" },
  cel: { prefix: "Cel", name: "The health expression", ok: "HealthExpression", steps: "250,000 steps", memory: "16 MiB of new text" },
} as const;

/** "Unknown" with a stable word (prefixed with the language) and a sentence. */
export function unknown(language: RuleLanguage, word: string, message: string): HealthResult {
  return { status: "Unknown", reason: `${WORDS[language].prefix}${word}`, message, stale: false, causes: [] };
}

/** Whether the run hit a limit of the sandbox: these count against the rule. */
export function isStrike(outcome: RunOutcome): boolean {
  return ["steps", "memory", "crash", "timeout", "lost"].includes(outcome.tag);
}

/** What a run means. `null` when the rule said nothing: no opinion. */
export function resultOf(language: RuleLanguage, outcome: RunOutcome): HealthResult | null {
  const { name, steps, memory } = WORDS[language];
  switch (outcome.tag) {
    case "ok":
      return said(language, outcome.status, outcome.message);
    case "nil":
      return null;
    case "error":
      return unknown(language, "Error", `${name} failed: ${outcome.message}`);
    case "missing":
      return unknown(language, "MissingField", `${name} reads a field that the object does not have (yet): ${outcome.message}`);
    case "steps":
      return unknown(language, language === "lua" ? "TooManyInstructions" : "TooManySteps", `${name} ran more than ${steps}`);
    case "memory":
      return unknown(language, "OutOfMemory", `${name} needs more than ${memory}`);
    case "timeout":
      return unknown(language, "Timeout", `${name} took longer than 250 ms`);
    case "crash":
      return unknown(language, "Crash", `${name} broke its sandbox: ${outcome.message}`);
    case "lost":
      return unknown(language, "Crash", `The thread of ${name.replace("The", "the")} ended unexpectedly`);
    case "unavailable":
      return unknown(
        language,
        "Unavailable",
        `There is no sandbox for health scripts; it is tried again: ${outcome.message.split("\n")[0]}`,
      );
    case "unstarted":
      return unknown(language, "Unavailable", "The thread for health rules could not be started; it is tried again");
    case "busy":
      return unknown(
        language,
        "Busy",
        `Too many objects wait for health rules of this cluster; ${name.replace("The", "the")} is asked later`,
      );
    case "disabled":
      return unknown(language, "Disabled", `${name} is switched off`);
    default:
      return unknown(language, "Closed", "Health rules are not run any more: the program is stopping");
  }
}

function said(language: RuleLanguage, word: string, message: string): HealthResult {
  const status = HEALTH_ORDER.find((status) => status === word);
  if (status === undefined) return unknown(language, "InvalidStatus", "Lua returned an invalid health status");
  const { name, ok } = WORDS[language];
  return { status, reason: ok, message: message === "" ? `${name} says ${status}` : message, stale: false, causes: [] };
}
