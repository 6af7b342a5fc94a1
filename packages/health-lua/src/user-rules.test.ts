import type { KubeObject } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { inEnglish, renderEnglish } from "@binnacle/words/render-english";
import { afterEach, describe, expect, test } from "vitest";

import { parseArgoCustomizations } from "./argo-customizations.ts";
import { machineClock, type Clock } from "./clock.ts";
import { parseFluxHealthChecks } from "./flux-health-checks.ts";
import { RuleEngine } from "./rule-engine.ts";
import { parseRulesFile } from "./rules-file.ts";
import { UserRules, type RuleLookup, type UserRulesOptions } from "./user-rules.ts";

// Where the watchdog is not the subject, a busy machine must not set it off.
const patientClock: Clock = { now: () => machineClock.now(), after: (delayMs, action) => machineClock.after(delayMs * 20, action) };

/** Threads start late on a busy machine. */
const BUSY = { timeout: 60_000 };

let rules: UserRules;
const start = (options: Partial<UserRulesOptions> = {}): UserRules => (rules = new UserRules({ clock: patientClock, ...options }));
afterEach(() => rules.close());

let uids = 0;
const widget = (status: unknown, metadata: object = {}): KubeObject => {
  uids += 1;
  return {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "one", uid: `u${uids}`, resourceVersion: "1", ...metadata },
    status,
  };
};
const argo = (data: Record<string, string>) =>
  parseArgoCustomizations({ apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "argocd", name: "argocd-cm" }, data });
const widgetScript = (script: string) => argo({ "resource.customizations.health.example.com_Widget": script });
const flux = (name: string, ...healthCheckExprs: readonly object[]) =>
  parseFluxHealthChecks({
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: { namespace: "flux-system", name },
    spec: { healthCheckExprs },
  });
const widgetCheck = (current: string) => ({ apiVersion: "example.com/v1", kind: "Widget", current });

/** Looks up until the result is known. */
async function known(object: KubeObject): Promise<Extract<RuleLookup, { kind: "known" }>> {
  for (;;) {
    const answer = rules.lookup(object);
    if (answer.kind === "known") return answer;
    if (answer.kind === "none") throw new Error("no rule");
    await answer.settled;
  }
}
const resultOf = async (object: KubeObject) => (await known(object)).result;

describe("lookup", BUSY, () => {
  test("is none without a rule, pending while it is evaluated, then known", async () => {
    start().setOrigin("argo", widgetScript("return { status = 'Degraded', message = obj.status.why }"));
    expect(rules.lookup({ ...widget({}), kind: "Gadget" })).toEqual({ kind: "none" });
    const object = widget({ why: "No disk" });
    const [first, second] = [rules.lookup(object), rules.lookup(object)];
    expect(first.kind).toBe("pending");
    expect(first.kind === "pending" && second.kind === "pending" && first.settled === second.settled).toBe(true);
    expect(inEnglish(await known(object))).toMatchObject({
      result: { status: "Degraded", reason: "HealthScript", message: "No disk" },
      rule: { source: "argocd-cm argocd/argocd-cm, resource.customizations.health.example.com_Widget" },
    });
    expect(rules.lookup(object).kind).toBe("known");
  });

  test("a rule without an opinion is known and null", async () => {
    start().setOrigin("argo", widgetScript("return nil"));
    const object = widget({});
    expect(await resultOf(object)).toBeNull();
    expect(rules.lookup(object)).toMatchObject({ kind: "known", result: null });
  });

  test("evaluates again for another version, uid or rule, and not for the same", async () => {
    const random = "return { status = 'Healthy', message = tostring(math.random(1, 2^50)) }";
    start().setOrigin("argo", widgetScript(random));
    const messageOf = async (metadata: object) => renderEnglish((await resultOf(widget({}, metadata)))?.message);
    const first = await messageOf({ uid: "a" });
    expect(await messageOf({ uid: "a" })).toBe(first);
    const others = [await messageOf({ uid: "b" }), await messageOf({ uid: "a", resourceVersion: "2" })];
    rules.setOrigin("argo", widgetScript(`${random} `));
    others.push(await messageOf({ uid: "a" }));
    expect(others).not.toContain(first);
  });

  test("objects without uid are remembered one by one", async () => {
    start().setOrigin("argo", widgetScript("return { status = obj.status }"));
    const [healthy, degraded] = [
      { ...widget("Healthy"), metadata: { name: "a" } },
      { ...widget("Degraded"), metadata: { name: "a" } },
    ];
    expect((await resultOf(healthy))?.status).toBe("Healthy");
    expect((await resultOf(degraded))?.status).toBe("Degraded");
  });

  test("forgets the least recently used result", async () => {
    start({ cacheSize: 2 }).setOrigin("argo", widgetScript("return { status = 'Healthy' }"));
    const [a, b, c] = [widget({}), widget({}), widget({})];
    for (const object of [a, b, a, c]) await known(object);
    expect([a, b, c].map((object) => rules.lookup(object).kind)).toEqual(["known", "pending", "known"]);
  });

  test("a deleting object is Progressing before any rule is evaluated, except with Argo's hook finalizer", async () => {
    start().setOrigin("argo", widgetScript("return { status = 'Healthy' }"));
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    expect(inEnglish(rules.lookup(widget({}, { deletionTimestamp, finalizers: ["x/y"] })))).toMatchObject({
      kind: "known",
      result: {
        status: "Progressing",
        reason: "Terminating",
        message: "Pending deletion; waits for finalizer x/y",
        since: deletionTimestamp,
      },
    });
    expect(await resultOf(widget({}, { deletionTimestamp, finalizers: ["argocd.argoproj.io/hook-finalizer"] }))).toMatchObject({
      status: "Healthy",
    });
  });

  test("a rule for a kind of Kubernetes wins too", async () => {
    start().setOrigin("argo", argo({ "resource.customizations": "apps/Deployment: { health.lua: \"return { status = 'Suspended' }\" }" }));
    expect(await resultOf({ ...widget({}), apiVersion: "apps/v1", kind: "Deployment" })).toMatchObject({ status: "Suspended" });
  });

  test("600 objects at once have their own results, in both languages", async () => {
    start().setOrigin("argo", widgetScript("return { status = 'Healthy', message = obj.status.n }"));
    rules.setOrigin("flux", flux("apps", { apiVersion: "example.com/v1", kind: "Gadget", current: "true", message: "status.n" }));
    const objects = Array.from({ length: 600 }, (_, i) => ({ ...widget({ n: `n${i}` }), kind: i % 2 === 0 ? "Widget" : "Gadget" }));
    for (const object of objects) rules.lookup(object);
    const messages = await Promise.all(objects.map(async (object) => renderEnglish((await resultOf(object))?.message)));
    expect(messages).toEqual(objects.map((_, i) => `n${i}`));
  });
});

describe("which rule", BUSY, () => {
  const sourceFor = (kind: string, apiVersion = "example.com/v1") => rules.ruleFor(apiVersion, kind)?.source;
  const file = (text: string) => parseRulesFile(text, "/rules.yaml");

  test("exact before wildcard, wherever they stand", () => {
    start().setOrigin("z", flux("apps", widgetCheck("true")));
    rules.setOrigin("a", file("resourceCustomizations: { 'example.com/*': { health.lua: x }, '*': { health.lua: y } }"));
    expect(sourceFor("Widget")).toBe("Kustomization flux-system/apps");
    expect(sourceFor("Gadget")).toBe("file /rules.yaml, line 1, example.com/*");
    expect(sourceFor("Pod", "v1")).toBe("file /rules.yaml, line 1, *");
  });

  test("file before argocd-cm before Flux, in whatever order they come", () => {
    start().setOrigin("a", flux("apps", widgetCheck("true")));
    rules.setOrigin("b", widgetScript("return nil"));
    rules.setOrigin("c", file("resourceCustomizations: { example.com/Widget: { health.lua: x } }"));
    expect(sourceFor("Widget")).toBe("file /rules.yaml, line 1, example.com/Widget");
    rules.setOrigin("c", undefined);
    expect(sourceFor("Widget")).toContain("argocd-cm argocd/argocd-cm");
    rules.setOrigin("b", undefined);
    expect(sourceFor("Widget")).toBe("Kustomization flux-system/apps");
    rules.setOrigin("a", undefined);
    expect(sourceFor("Widget")).toBeUndefined();
  });

  test("of Kustomizations the object's own, then the very version, then the smaller origin id", async () => {
    start().setOrigin("2", flux("two", widgetCheck("true")));
    rules.setOrigin("1", flux("one", { ...widgetCheck("true"), apiVersion: "example.com/v2" }));
    rules.setOrigin("3", flux("three", widgetCheck("true")));
    expect(sourceFor("Widget")).toBe("Kustomization flux-system/two");
    expect(sourceFor("Widget", "example.com/v2")).toBe("Kustomization flux-system/one");
    expect(sourceFor("Widget", "example.com/v3")).toBe("Kustomization flux-system/one");
    const labels = { "kustomize.toolkit.fluxcd.io/name": "three", "kustomize.toolkit.fluxcd.io/namespace": "flux-system" };
    expect((await known(widget({}, { labels }))).rule.source).toBe("Kustomization flux-system/three");
  });

  test("10,000 rules are cut at 5,000, with a problem, and are found", () => {
    const keys = Array.from({ length: 10_000 }, (_, i) => `resource.customizations.health.*.g${i}.example.com_*`);
    const set = argo(Object.fromEntries(keys.map((key) => [key, "return nil"])));
    expect(set.rules).toHaveLength(5000);
    expect(set.problems).toEqual([expect.stringMatching(/more than 5000 rules; this one and those after it are left out$/)]);
    start().setOrigin("argo", set);
    expect(sourceFor("Widget", "a.g4999.example.com/v1")).toContain("*.g4999.example.com_*");
    expect(sourceFor("Widget", "a.g5000.example.com/v1")).toBeUndefined();
  });
});

describe("listeners", BUSY, () => {
  test("are called when rules change, and not when the same rules come again", () => {
    start();
    let calls = 0;
    const stop = rules.onChange(() => (calls += 1));
    rules.setOrigin("argo", widgetScript("return nil"));
    rules.setOrigin("argo", widgetScript("return nil"));
    rules.setOrigin("other", argo({ unrelated: "x" }));
    expect(calls).toBe(1);
    rules.setOrigin("argo", undefined);
    expect(calls).toBe(2);
    stop();
    rules.setOrigin("argo", widgetScript("return nil"));
    expect(calls).toBe(2);
  });

  test("XS9: are called when a rule that was switched off is on again, and it judges anew", async () => {
    const clock = new ManualClock();
    start({ clock }).setOrigin("argo", widgetScript("while obj.status.huge do end return { status = 'Healthy' }"));
    for (let strike = 0; strike < 3; strike += 1) await resultOf(widget({ huge: true }));
    const small = widget({});
    expect(await resultOf(small)).toMatchObject({ reason: "LuaDisabled" });
    let calls = 0;
    rules.onChange(() => (calls += 1));
    clock.advance(5 * 60_000);
    expect(calls).toBeGreaterThan(0);
    expect(await resultOf(small)).toMatchObject({ status: "Healthy" });
    await rules.close();
    clock.assertIdle();
  });

  test("XS9: rules of two tenants of one engine do not share strikes", async () => {
    const engine = new RuleEngine({ clock: patientClock });
    const script = widgetScript("while obj.status.huge do end return { status = 'Healthy' }");
    start({ engine, tenant: "a" }).setOrigin("argo", script);
    for (let strike = 0; strike < 3; strike += 1) await resultOf(widget({ huge: true }));
    expect(await resultOf(widget({}))).toMatchObject({ reason: "LuaDisabled" });
    await rules.close();
    start({ engine, tenant: "b" }).setOrigin("argo", script);
    expect(await resultOf(widget({}))).toMatchObject({ status: "Healthy" });
    await engine.close();
  });

  test("are called 30 s after a run hit a limit, and the run is tried again; three strikes switch the rule off", async () => {
    const clock = new ManualClock();
    start({ clock }).setOrigin("argo", widgetScript("while true do end"));
    let calls = 0;
    rules.onChange(() => (calls += 1));
    const object = widget({});
    const reasons = [];
    for (let round = 0; round < 5; round += 1) {
      reasons.push((await resultOf(object))?.reason, (await resultOf(object))?.reason);
      clock.advance(30_000);
    }
    const limit = "LuaTooManyInstructions";
    expect(reasons).toEqual([limit, limit, limit, limit, ...Array.from({ length: 6 }, () => "LuaDisabled")]);
    expect(calls).toBe(2);
    await rules.close();
    clock.assertIdle();
  });
});

describe("bad rules", BUSY, () => {
  test.each([
    ["a loop", "[1,2,3].all(a, status.l.all(b, status.l.all(c, status.l.all(d, true))))", "CelTooManySteps"],
    ["a join", "status.l.map(x, status.s).map(x, x + x).join('') == ''", "CelOutOfMemory"],
    ["a field that is not there", "status.none", "CelMissingField"],
    ["no truth value", "'yes'", "CelError"],
    ["another language", "return { status = 'Healthy' }", "CelInvalid"],
  ])("%s in CEL is Unknown with its reason", async (_, current, reason) => {
    start().setOrigin("flux", flux("apps", widgetCheck(current)));
    const status = { l: Array.from({ length: 200 }, (_, i) => i), s: "x".repeat(100_000) };
    expect(await resultOf(widget(status))).toMatchObject({ status: "Unknown", reason });
  });

  test("the watchdog ends a regular expression that backtracks, and the rest of its batch is answered", async () => {
    // Four times the 250 ms: the innocent ones must not be late on a busy machine.
    const clock: Clock = { now: () => machineClock.now(), after: (delayMs, action) => machineClock.after(delayMs * 4, action) };
    start({ clock }).setOrigin("flux", flux("apps", widgetCheck("status.s.matches('^(x+x+)+y$') || true")));
    const objects = Array.from({ length: 20 }, (_, i) => widget({ s: i === 10 ? "x".repeat(200) : "y" }));
    for (const object of objects) rules.lookup(object);
    const reasons = await Promise.all(objects.map(async (object) => (await resultOf(object))?.reason));
    expect(reasons).toEqual(objects.map((_, i) => (i === 10 ? "CelTimeout" : "HealthExpression")));
  });

  test("a rule that cannot run is reported without being sent", () => {
    start().setOrigin("flux", flux("apps", { apiVersion: "example.com/v1", kind: "Widget", failed: "true" }));
    expect(inEnglish(rules.lookup(widget({})))).toMatchObject({
      kind: "known",
      result: {
        status: "Unknown",
        reason: "CelInvalid",
        message: "The health rule of Kustomization flux-system/apps cannot run: the expression current is missing",
      },
    });
  });
});

describe("close", BUSY, () => {
  test("settles what is pending; later lookups are Unknown at once", async () => {
    start().setOrigin("argo", widgetScript("return { status = string.find(('a'):rep(40000), ('a*'):rep(40) .. 'b') }"));
    const object = widget({});
    const pending = rules.lookup(object);
    await rules.close();
    if (pending.kind === "pending") await pending.settled;
    expect(pending.kind).toBe("pending");
    expect(rules.lookup(object)).toMatchObject({ kind: "known", result: { status: "Unknown", reason: "LuaClosed" } });
  });

  test("leaves an engine that others use too", async () => {
    const engine = new RuleEngine({ clock: patientClock });
    start({ engine }).setOrigin("argo", widgetScript("return { status = 'Healthy' }"));
    const other = rules;
    await other.close();
    start({ engine }).setOrigin("argo", widgetScript("return { status = 'Healthy' }"));
    expect(await resultOf(widget({}))).toMatchObject({ status: "Healthy" });
    await engine.close();
  });
});
