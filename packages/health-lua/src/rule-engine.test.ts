import type { HealthResult } from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";
import { inEnglish, renderEnglish } from "@binnacle/words/render-english";
import { afterAll, afterEach, describe, expect, test } from "vitest";

import { machineClock, type Clock } from "./clock.ts";
import { RuleEngine } from "./rule-engine.ts";
import { createLuaRule } from "./user-rule.ts";

// Where the watchdog is not the subject, a busy machine must not set it off.
const patientClock: Clock = { now: () => machineClock.now(), after: (delayMs, action) => machineClock.after(delayMs * 20, action) };

/** The results of Lua scripts alone. */
class LuaRules {
  readonly #engine: RuleEngine;

  constructor(options: { readonly clock: Clock }) {
    this.#engine = new RuleEngine(options);
  }

  async evaluate(script: string, object: KubeObject, tenant = "a"): Promise<HealthResult | null> {
    const rule = createLuaRule({ source: "a test", pattern: "example.com/Widget" }, script);
    return (await this.#engine.evaluate({ rule, object, tenant })).result;
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}

const BACKTRACKING = "return { status = string.find(('a'):rep(40000), ('a*'):rep(40) .. 'b') }";

const HUGE_IS_SLOW = "while obj.status.huge do end return { status = 'Healthy' }";

/** Threads start late on a busy machine. */
const BUSY = { timeout: 60_000 };

const widget = (status: unknown, metadata: object = {}): KubeObject => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name: "one", ...metadata },
  status,
});

const DATABASE = `
local hs = {}
if obj.metadata.deletionTimestamp ~= nil then
  hs.status = "Progressing"
  hs.message = "Being deleted"
  return hs
end
if obj.status == nil or obj.status.conditions == nil then
  hs.status = "Progressing"
  hs.message = "Waiting for the first conditions"
  return hs
end
for _, condition in ipairs(obj.status.conditions) do
  if condition.type == "Ready" then
    if condition.status == "True" then
      hs.status = "Healthy"
      hs.message = string.format("%d of %d members are ready", obj.status.ready or 0, obj.spec and obj.spec.members or 0)
    else
      hs.status = string.find(condition.reason or "", "Fail") and "Degraded" or "Progressing"
      hs.message = condition.message
    end
    return hs
  end
end
hs.status = "Suspended"
return hs
`;

describe("scripts", BUSY, () => {
  const lua = new LuaRules({ clock: patientClock });
  afterAll(() => lua.close());

  test("an ordinary script decides from conditions", async () => {
    const ready = { ...widget({ ready: 2, conditions: [{ type: "Ready", status: "True" }] }), spec: { members: 3 } };
    expect(inEnglish(await lua.evaluate(DATABASE, ready))).toEqual({
      status: "Healthy",
      reason: "HealthScript",
      message: "2 of 3 members are ready",
      stale: false,
      causes: [],
    });
    const failed = widget({ conditions: [{ type: "Ready", status: "False", reason: "BootFailed", message: "No disk" }] });
    expect(inEnglish(await lua.evaluate(DATABASE, failed))).toMatchObject({ status: "Degraded", message: "No disk" });
    expect(await lua.evaluate(DATABASE, widget(undefined))).toMatchObject({ status: "Progressing" });
    expect(await lua.evaluate(DATABASE, widget({ conditions: [] }))).toMatchObject({ status: "Suspended" });
  });

  test.each(["{ status = 'Great' }", "{ status = 'healthy' }", "{ status = 5 }", "{}", "{ message = 'no status' }"])(
    "the result %s is an invalid health status",
    async (result) => {
      const health = await lua.evaluate(`return ${result}`, widget({}));
      expect(inEnglish(health)).toMatchObject({
        status: "Unknown",
        reason: "LuaInvalidStatus",
        message: "Lua returned an invalid health status",
      });
    },
  );

  test.each(["return nil", "return", "local x = 1", ""])("the script %j has no opinion", async (script) => {
    expect(await lua.evaluate(script, widget({}))).toBeNull();
  });

  test.each(["return 'Healthy'", "return 5", "return true", "not lua at all", "error({})", "return obj.missing.field", "\u001bLua"])(
    "the script %j is Unknown with its error",
    async (script) => {
      expect(await lua.evaluate(script, widget({}))).toMatchObject({ status: "Unknown", reason: "LuaError" });
    },
  );

  test("a resource that is no JSON is Unknown", async () => {
    const ring: Record<string, unknown> = {};
    ring["self"] = ring;
    expect(await lua.evaluate("return nil", widget(ring))).toMatchObject({ status: "Unknown", reason: "LuaError" });
  });

  test("a script longer than 256 KiB is refused", async () => {
    expect(inEnglish(await lua.evaluate(" ".repeat(300_000), widget({})))).toMatchObject({
      reason: "LuaInvalid",
      message: "The health rule of a test cannot run: it is longer than 256 KiB",
    });
  });

  test("many evaluations at once keep their own results", async () => {
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, i) => lua.evaluate("return { status = 'Healthy', message = obj.status.n }", widget({ n: `n${i}` }))),
    );
    expect(results.map((result) => renderEnglish(result?.message))).toEqual(Array.from({ length: 300 }, (_, i) => `n${i}`));
  });
});

describe("bad scripts", BUSY, () => {
  let lua: LuaRules | undefined;
  afterEach(() => lua?.close());

  test("the watchdog ends a pattern that backtracks, and others go on", async () => {
    lua = new LuaRules({ clock: machineClock });
    const bad = lua.evaluate(BACKTRACKING, widget({}));
    const good = lua.evaluate("return nil", widget({}));
    expect(await bad).toMatchObject({ status: "Unknown", reason: "LuaTimeout" });
    expect(await good).toBeNull();
  });

  test("three strikes switch a script off, for every object, and no other script", async () => {
    lua = new LuaRules({ clock: patientClock });
    const reasons = [];
    for (const uid of ["a", "a", "b", "a", "c"]) {
      reasons.push((await lua.evaluate("while true do end", widget({}, { uid, resourceVersion: "1" })))?.reason);
    }
    const limit = "LuaTooManyInstructions";
    expect(reasons).toEqual([limit, limit, "LuaDisabled", "LuaDisabled", "LuaDisabled"]);
    expect(await lua.evaluate("return { status = 'Healthy' }", widget({}))).toMatchObject({ status: "Healthy" });
  });

  test("XS9: strikes of one tenant switch a rule off for that tenant alone", async () => {
    lua = new LuaRules({ clock: patientClock });
    for (let strike = 0; strike < 3; strike += 1) await lua.evaluate(HUGE_IS_SLOW, widget({ huge: true }));
    expect(await lua.evaluate(HUGE_IS_SLOW, widget({}))).toMatchObject({ reason: "LuaDisabled" });
    expect(await lua.evaluate(HUGE_IS_SLOW, widget({}), "b")).toMatchObject({ status: "Healthy" });
  });

  test("XS9: a rule is off for five minutes and its message has the end", async () => {
    let now = Date.parse("2026-01-01T12:00:00Z");
    lua = new LuaRules({ clock: { ...patientClock, now: () => now } });
    for (let strike = 0; strike < 3; strike += 1) await lua.evaluate(HUGE_IS_SLOW, widget({ huge: true }));
    const off = await lua.evaluate(HUGE_IS_SLOW, widget({}));
    expect(renderEnglish(off?.message)).toContain("is switched off until 2026-01-01T12:05:00Z after 3 failures");
    now += 5 * 60_000 - 1;
    expect(await lua.evaluate(HUGE_IS_SLOW, widget({}))).toMatchObject({ reason: "LuaDisabled" });
    now += 1;
    expect(await lua.evaluate(HUGE_IS_SLOW, widget({}))).toMatchObject({ status: "Healthy" });
  });

  test("strikes further apart than ten minutes do not add up", async () => {
    let now = 0;
    lua = new LuaRules({ clock: { ...patientClock, now: () => now } });
    for (let strike = 0; strike < 5; strike += 1, now += 5 * 60_000 + 1) {
      expect((await lua.evaluate("while true do end", widget({})))?.reason).toBe("LuaTooManyInstructions");
    }
  });

  test("errors of a script are no strikes", async () => {
    lua = new LuaRules({ clock: patientClock });
    for (let run = 0; run < 5; run += 1) expect((await lua.evaluate("error('no')", widget({})))?.reason).toBe("LuaError");
  });

  test("closing answers open and later evaluations", async () => {
    lua = new LuaRules({ clock: patientClock });
    const open = lua.evaluate(BACKTRACKING, widget({}));
    await lua.close();
    expect(await open).toMatchObject({ status: "Unknown", reason: "LuaClosed" });
    expect(await lua.evaluate("return nil", widget({}))).toMatchObject({ reason: "LuaClosed" });
  });
});
