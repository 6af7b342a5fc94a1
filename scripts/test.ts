/**
 * `npm test`: runs every test this machine can run, through one door, and counts from the reports.
 * A missing, empty or unreadable report, a skipped test and a test that needed a retry are failures. In CI (CI=true) nothing may
 * be missing; elsewhere the last lines say what was not run and why. Whatever failed is named again at the end, because a long
 * log is often kept from its end only. The very last line is `N passed, N failed`.
 */
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { detectParts, type Part } from "./test/parts.ts";
import { nextOf, planOf, type Step } from "./test/plan.ts";
import { countReport, type Count } from "./test/report-count.ts";

const root = join(import.meta.dirname, "..");
const reports = join(root, "reports");
const inCi = process.env["CI"] === "true";

/** Runs a step to its end. @param log where its output goes; without one it is printed as it comes */
function runStep(step: Step, environment: NodeJS.ProcessEnv, log?: number): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...step.command], {
      cwd: root,
      stdio: log === undefined ? ["ignore", "inherit", "inherit"] : ["ignore", log, log],
      env: { ...environment, ...step.env },
    });
    child.on("exit", (code) => resolve(code ?? 1));
    child.on("error", () => resolve(1));
  });
}

/** Runs a step beside others: what it prints comes in one piece when it has ended. */
async function runAside(step: Step, environment: NodeJS.ProcessEnv): Promise<number> {
  const file = join(reports, `${step.title.replaceAll(/\W+/g, "-")}.log`);
  const log = openSync(file, "w");
  const exitCode = await runStep(step, environment, log);
  closeSync(log);
  process.stdout.write(`\n▸ ${step.title}, which ran aside\n${readFileSync(file, "utf8")}`);
  return exitCode;
}

function problemsOf(step: Step, exitCode: number, count: Count): string[] {
  const problems: string[] = count.problems.map((problem) => `${step.title}: ${problem}`);
  if (exitCode !== 0 && count.failed === 0 && problems.length === 0)
    problems.push(`${step.title}: ended with exit code ${exitCode} though no test failed`);
  return problems;
}

const only = process.argv.slice(2);
const parts = detectParts(root);
const missing = parts.filter((part): part is Part & { kind: "missing" } => part.kind === "missing");
const environment: NodeJS.ProcessEnv = { ...process.env, TURBO_TELEMETRY_DISABLED: "1", NEXT_TELEMETRY_DISABLED: "1" };
for (const part of parts) if (part.kind === "present") Object.assign(environment, part.env);

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

let passed = 0;
let failed = 0;
const notes: string[] = [];
for (const part of missing) {
  notes.push(`${inCi ? "missing" : "not run"}: ${part.name} (${part.reason})`);
  if (inCi) failed += 1;
}
const plan = planOf({ root, reports, missing: missing.map((part) => part.name), only });
for (const entry of plan.left) notes.push(`not run: ${entry}`);
const took: string[] = [];
const [begun, ended] = [new Set<Step>(), new Set<Step>()];
const ends = new EventEmitter();
await Promise.all([runLane(true), runLane(false)]);
notes.push(`seconds: ${took.join(", ")}`);

/** One step after the other, each counted when it has ended, until none is left that another lane has not begun. */
async function runLane(isPrinted: boolean): Promise<void> {
  while (begun.size < plan.steps.length) {
    const step = nextOf(plan, begun, ended);
    if (step === undefined) {
      await once(ends, "ended");
      continue;
    }
    begun.add(step);
    const started = performance.now();
    process.stderr.write(`\n▸ ${step.title}\n`);
    const exitCode = isPrinted ? await runStep(step, environment) : await runAside(step, environment);
    took.push(`${step.title} ${Math.round((performance.now() - started) / 1000)}`);
    count(step, exitCode);
    ended.add(step);
    ends.emit("ended");
  }
}

function count(step: Step, exitCode: number): void {
  if (step.report === undefined) {
    if (exitCode === 0) return;
    failed += 1;
    notes.push(`failed: ${step.title} (exit code ${exitCode})`);
    return;
  }
  const counted = countReport(step.report);
  passed += counted.passed;
  failed += counted.failed;
  for (const failure of counted.failures) notes.push(`failed: ${failure}`);
  const problems = problemsOf(step, exitCode, counted);
  failed += problems.length;
  for (const problem of problems) notes.push(`failed: ${problem}`);
}

process.stdout.write(`\n${notes.map((note) => `${note}\n`).join("")}${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
