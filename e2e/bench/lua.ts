import { parseArgoCustomizations, RuleEngine, type UserRule } from "@binnacle/health-lua";
import type { KubeObject } from "@binnacle/kube";
import { systemClock } from "@binnacle/rpc";
import { renderEnglish } from "@binnacle/words/render-english";

import type { Figure } from "./goals.ts";
import { cpuMsOf } from "./process-cpu.ts";
import { median } from "./statistics.ts";
import { customObject } from "./view-model.ts";

const RUNS = 5;
const WARM_UP = 500;
const ALONE = 500;
const BATCHES = 20;
const PER_BATCH = 100;

/** A script of the size and kind that teams write: it walks the conditions of a resource. */
const SCRIPT = `
local hs = { status = "Progressing", message = "Waiting for the first status" }
if obj.status == nil then return hs end
if obj.status.observedGeneration ~= nil and obj.metadata.generation ~= nil then
  if tonumber(obj.status.observedGeneration) < tonumber(obj.metadata.generation) then
    hs.message = "The newest generation has not been observed"
    return hs
  end
end
local seen = {}
for _, condition in ipairs(obj.status.conditions or {}) do
  seen[condition.type] = condition
end
if seen.Synced ~= nil and seen.Synced.status == "False" then
  hs.status = "Degraded"
  hs.message = seen.Synced.message
  return hs
end
if seen.Ready ~= nil then
  hs.message = seen.Ready.message
  if seen.Ready.status == "True" then hs.status = "Healthy" end
  if seen.Ready.status == "False" then hs.status = "Degraded" end
end
return hs
`;

/** Mean time of an uncached evaluation of a health.lua in the worker: CPU of all threads in batches, and wall for one alone. */
export async function luaFigures(): Promise<readonly Figure[]> {
  const rule = ruleOf(SCRIPT);
  const engine = new RuleEngine({ clock: systemClock });
  try {
    for (let index = 0; index < WARM_UP; index += 1) await evaluate({ engine, rule, tenant: "warm-up" }, index);
    const cpu: number[] = [];
    const alone: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const before = cpuMsOf(process.pid);
      for (let batch = 0; batch < BATCHES; batch += 1) {
        await Promise.all(Array.from({ length: PER_BATCH }, (_, index) => evaluate({ engine, rule, tenant: `batches ${run}` }, index)));
      }
      cpu.push((cpuMsOf(process.pid) - before) / (BATCHES * PER_BATCH));
      const started = performance.now();
      for (let index = 0; index < ALONE; index += 1) await evaluate({ engine, rule, tenant: `alone ${run}` }, index);
      alone.push((performance.now() - started) / ALONE);
    }
    return [
      { figure: "health.lua, uncached, CPU in batches of 100", value: median(cpu), unit: "ms", goal: 0.3 },
      { figure: "health.lua, uncached, wall one after the other", value: median(alone), unit: "ms" },
    ];
  } finally {
    await engine.close();
  }
}

/** An object of its own each time, as every change of a resource is. A tenant's runs in a second are bounded: each phase is one. */
async function evaluate(of: { engine: RuleEngine; rule: UserRule; tenant: string }, index: number): Promise<void> {
  const { engine, rule, tenant } = of;
  const object = customObject();
  const changed: KubeObject = { ...object, metadata: { ...object.metadata, resourceVersion: String(index) } };
  const { result, lasting } = await engine.evaluate({ rule, object: changed, tenant });
  // On a machine that is too busy the watchdog ends a run now and then; its time counts all the same.
  if (!lasting) return;
  if (result?.status !== "Healthy") throw new Error(`the script says ${result?.status ?? "nothing"}: ${renderEnglish(result?.message)}`);
}

function ruleOf(script: string): UserRule {
  const data = { "resource.customizations.health.example.com_Database": script };
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "argocd-cm", namespace: "argocd" }, data };
  const [rule] = parseArgoCustomizations(configMap).rules;
  if (rule === undefined) throw new Error("the ConfigMap has no rule");
  return rule;
}
