import { parentPort, workerData } from "node:worker_threads";

import { createCelEngine } from "./cel-engine.ts";
import { evaluateCelRule, type CelExpressions } from "./cel-rule.ts";
import { LuaVm } from "./lua-vm.ts";
import type { RuleAnswer, RuleBatch, WorkerData, WorkerMessage } from "./worker-message.ts";

/** A batch ends with the run that comes to its end after this: others wait for the thread. What is left comes again. */
const SLICE_MS = 8;

// Expressions can throw thousands of errors, and their stacks are not read.
Error.stackTraceLimit = 0;

// The parent starts this file with exactly this.
const begun = new Int32Array((workerData as WorkerData).begun);
const vm = new LuaVm();
const cel = createCelEngine();

function send(message: WorkerMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message);
}

/** Why there is no Lua VM, until the next batch tries again. */
let broken: string | undefined;

function evaluate(rule: RuleBatch["rules"][number], json: string): RuleAnswer {
  // Written by createCelRule.
  if (rule.language === "cel") return evaluateCelRule(cel, JSON.parse(rule.text) as CelExpressions, json);
  return broken === undefined ? vm.evaluate(rule.text, json) : { tag: "unavailable", status: "", message: broken };
}

function runBatch({ rules, jobs }: RuleBatch): void {
  const answers: RuleAnswer[] = [];
  const begunAtMs = performance.now();
  for (const [place, job] of jobs.entries()) {
    const rule = rules[job.rule];
    // A VM is made between batches, because it takes long: what is left comes again.
    if (rule?.language === "lua" && vm.worn && broken === undefined) break;
    Atomics.store(begun, 0, place);
    answers.push(rule === undefined ? { tag: "crash", status: "", message: "the rule did not arrive" } : evaluate(rule, job.json));
    if (performance.now() - begunAtMs >= SLICE_MS) break;
  }
  send({ type: "answers", answers, done: true });
}

// CEL goes on without Lua, whatever is wrong with it.
async function renew(): Promise<void> {
  try {
    await vm.renewIfWorn();
  } catch (error) {
    broken = error instanceof Error ? error.message : "it cannot be started";
  }
}

parentPort?.on("message", (batch: RuleBatch) => {
  runBatch(batch);
  broken = undefined;
  const usesLua = batch.rules.some(({ language }) => language === "lua");
  void (usesLua ? renew() : Promise.resolve()).then(() => send({ type: "ready" }));
});

send({ type: "ready" });
