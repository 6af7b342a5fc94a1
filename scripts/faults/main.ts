/**
 * `node scripts/faults/main.ts [name …] [--changed] [--report file] [--only id] [--exclude test]`: plants the faults of packages/<name>/faults,
 * apps/<name>/faults and e2e/<name>/faults one at a time and demands that the tests find each. Without a name all, with --changed those of
 * what changed (changed-subjects.ts). Writes a report in vitest's form, one test per fault. Subjects without another test than those
 * excluded are left out.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { readArguments } from "../../packages/testing/src/read-arguments.ts";
import { chooseSubjects, type SubjectChoice } from "./changed-subjects.ts";
import type { FaultVerdict } from "./fault-run.ts";
import { readPlantedFaults } from "./planted-fault.ts";
import { faultSubjects } from "./subjects.ts";

const root = join(import.meta.dirname, "..", "..");
const USAGE = "usage: node scripts/faults/main.ts [name …] [--changed] [--report FILE] [--only ID …] [--exclude TEST …]";
const { values, positionals } = readArguments(USAGE, {
  options: {
    report: { type: "string" },
    only: { type: "string", multiple: true },
    exclude: { type: "string", multiple: true },
    changed: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

const subjects = faultSubjects(root, values.exclude ?? []);
const choice = chosen();
process.stdout.write(`planted faults: ${choice.because}\n`);

const results: object[] = [];
let bad = 0;
for (const name of choice.names) results.push(await outcomeOf(name));
const nothing = choice.names.length === 0 ? { nothingToRun: choice.because } : {};
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify({ testResults: results, ...nothing }));
if (results.length > 0) process.stdout.write(bad === 0 ? "every planted fault is found\n" : `${bad} planted faults are not found\n`);
process.exitCode = bad === 0 ? 0 : 1;

function chosen(): SubjectChoice {
  if (positionals.length > 0) return { names: positionals, because: `${positionals.join(", ")}: named` };
  if (values.changed) return chooseSubjects(root, subjects, process.env["FAULTS_BASE"]);
  return { names: subjects.map(({ name }) => name), because: "all" };
}

/** Runs the faults of one subject; a run that cannot begin is a failed file of the report. */
async function outcomeOf(name: string): Promise<object> {
  const title = `planted faults of ${name}`;
  const started = Date.now();
  try {
    const subject = subjects.find((each) => each.name === name);
    if (subject === undefined) throw new Error(`there is none of that name; there are ${subjects.map((each) => each.name).join(", ")}`);
    const all = readPlantedFaults(subject.directory);
    const faults = values.only === undefined ? all : all.filter(({ id }) => values.only?.includes(id));
    const verdicts = faults.length === 0 ? [] : await subject.run(faults, say);
    process.stdout.write(`${name}: ${faults.length} planted faults in ${Math.round((Date.now() - started) / 1000)} s\n`);
    const assertionResults = verdicts.map(({ fault, verdict, because }) => ({
      title: `${name}: ${fault.id}: ${fault.what}`,
      status: verdict === "found" ? "passed" : "failed",
      failureMessages: verdict === "found" ? [] : [`${verdict}: ${because}`],
    }));
    bad += assertionResults.filter(({ status }) => status === "failed").length;
    return { name: title, status: "passed", assertionResults };
  } catch (error) {
    bad += 1;
    const message = error instanceof Error ? error.message : String(error);
    process.stdout.write(`${title}: ${message}\n`);
    return { name: title, status: "failed", message, assertionResults: [] };
  }
}

function say({ fault, verdict, because }: FaultVerdict): void {
  if (verdict === "found") process.stdout.write(`ok   ${fault.id} (${because})\n`);
  else process.stdout.write(`FAIL ${fault.id}: ${verdict}: ${because}\n     ${fault.file}: ${fault.what}\n`);
}
