/**
 * `npm test [-- part, path or text …]`: runs every test this machine can run, or those that are named, and counts from the reports.
 * A missing, empty or unreadable report and a skipped test are failures. What failed runs once more when all else has ended; what passes
 * then is flaky (docs/design/conventions.md "Tests and counting"). In CI (CI=true) nothing may be missing; elsewhere the last lines name
 * what was not run and why. The very last line is `N passed, N failed`.
 */
import { join } from "node:path";

import { detectParts, type Part } from "./test/parts.ts";
import { BROWSER_PARTS, planOf, TEST_PART_NAMES } from "./test/plan.ts";
import { closingLines } from "./test/print-out.ts";
import { runPlan } from "./test/run-plan.ts";
import { selectTests, type Selection } from "./test/selection.ts";
import { projectsOfSpecifications } from "./test/specification-projects.ts";

const root = join(import.meta.dirname, "..");
const reports = join(root, "reports");
const inCi = process.env["CI"] === "true";

let selection: Selection;
try {
  selection = selectTests(process.argv.slice(2), {
    root,
    parts: TEST_PART_NAMES,
    projectsOf: (specifications) => projectsOfSpecifications(root, specifications, BROWSER_PARTS),
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
}

const parts = detectParts(root);
const missing = parts.filter((part): part is Part & { kind: "missing" } => part.kind === "missing");
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  TURBO_TELEMETRY_DISABLED: "1",
  NEXT_TELEMETRY_DISABLED: "1",
  // Hundreds of processes load the same modules: the first compiles them for all, a fifth of the processors' time of an integration test.
  NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node-compile"),
};
for (const part of parts) if (part.kind === "present") Object.assign(environment, part.env);
const absent = missing.map((part) => `${part.name} (${part.reason})`);
const plan = planOf({ root, reports, missing: missing.map((part) => part.name), selection });
const outcome = await runPlan(plan.steps, {
  root,
  reports,
  environment,
  failures: inCi ? absent.map((part) => `missing: ${part}`) : [],
});
const lines = closingLines(outcome, [...(inCi ? [] : absent), ...plan.left]);
process.stdout.write(`\n${lines.map((line) => `${line}\n`).join("")}`);
process.exitCode = outcome.failed === 0 && plan.steps.length > 0 ? 0 : 1;
