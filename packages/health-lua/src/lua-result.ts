import { HEALTH_ORDER, type HealthResult } from "@binnacle/health";

import type { RunOutcome } from "./lua-worker.ts";

/** "Unknown" with a stable word and a sentence. */
export function unknown(reason: string, message: string): HealthResult {
  return { status: "Unknown", reason, message, stale: false, causes: [] };
}

/** Whether the run hit a limit of the sandbox: these count against the script and are not remembered. */
export function isStrike(outcome: RunOutcome): boolean {
  return outcome.tag !== "ok" && outcome.tag !== "nil" && outcome.tag !== "error" && outcome.tag !== "closed";
}

/** What a run means. `null` when the script returned nothing: no opinion. */
export function resultOf(outcome: RunOutcome): HealthResult | null {
  switch (outcome.tag) {
    case "ok":
      return said(outcome.status, outcome.message);
    case "nil":
      return null;
    case "error":
      return unknown("LuaError", `The health script failed: ${outcome.message}`);
    case "steps":
      return unknown("LuaTooManyInstructions", "The health script ran more than 1,000,000 instructions");
    case "memory":
      return unknown("LuaOutOfMemory", "The health script needs more than 64 MiB of memory");
    case "timeout":
      return unknown("LuaTimeout", "The health script took longer than 250 ms");
    case "crash":
      return unknown("LuaCrash", `The health script broke its sandbox: ${outcome.message}`);
    case "lost":
      return unknown("LuaCrash", "The thread of the health script ended unexpectedly");
    default:
      return unknown("LuaClosed", "Health scripts are not run any more: the program is stopping");
  }
}

function said(word: string, message: string): HealthResult {
  const status = HEALTH_ORDER.find((status) => status === word);
  if (status === undefined) return unknown("LuaInvalidStatus", "Lua returned an invalid health status");
  return {
    status,
    reason: "HealthScript",
    message: message === "" ? `The health script says ${status}` : message,
    stale: false,
    causes: [],
  };
}
