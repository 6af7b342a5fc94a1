import { describe, expect, test } from "vitest";

import { inEnglish } from "@binnacle/words/render-english";

import { isStrike, resultOf } from "./rule-outcome.ts";
import type { RunOutcome } from "./rule-worker.ts";

const answer = (tag: "error" | "missing" | "steps" | "memory" | "crash" | "unavailable"): RunOutcome => ({
  tag,
  status: "",
  message: "why",
});

describe("resultOf", () => {
  test.each([
    [answer("error"), "LuaError", "CelError", false],
    [answer("missing"), "LuaMissingField", "CelMissingField", false],
    [answer("steps"), "LuaTooManyInstructions", "CelTooManySteps", true],
    [answer("memory"), "LuaOutOfMemory", "CelOutOfMemory", true],
    [answer("crash"), "LuaCrash", "CelCrash", true],
    [answer("unavailable"), "LuaUnavailable", "CelUnavailable", false],
    [{ tag: "timeout" }, "LuaTimeout", "CelTimeout", true],
    [{ tag: "lost" }, "LuaCrash", "CelCrash", true],
    [{ tag: "unstarted" }, "LuaUnavailable", "CelUnavailable", false],
    [{ tag: "disabled" }, "LuaDisabled", "CelDisabled", false],
    [{ tag: "busy" }, "LuaBusy", "CelBusy", false],
    [{ tag: "closed" }, "LuaClosed", "CelClosed", false],
  ] satisfies [RunOutcome, string, string, boolean][])("%j is Unknown with a reason of its language", (...row) => {
    const [outcome, lua, cel, strike] = row;
    expect(inEnglish(resultOf("lua", outcome))).toMatchObject({
      status: "Unknown",
      reason: lua,
      message: expect.stringMatching(/^[A-Z].{10}/),
    });
    expect(inEnglish(resultOf("cel", outcome))).toMatchObject({
      status: "Unknown",
      reason: cel,
      message: expect.stringMatching(/^[A-Z].{10}/),
    });
    expect(isStrike(outcome)).toBe(strike);
  });

  test.each(["Missing", "Unknown", "Healthy"])("the word %s of a rule is taken", (status) => {
    expect(inEnglish(resultOf("lua", { tag: "ok", status, message: "" }))).toMatchObject({
      status,
      message: `The health script returns ${status}`,
    });
  });
});
