/**
 * `node scripts/faults/main.ts [name …] [--report file] [--only id] [--exclude test] [--without name]`: plants the faults of packages/<name>/faults,
 * apps/<name>/faults and e2e/<name>/faults one at a time and demands that the tests find each. Writes a report in vitest's form, one test
 * per fault. Subjects without another test than those excluded are left out.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { runFaults, type FaultVerdict } from "./fault-run.ts";
import { readPlantedFaults, type PlantedFault } from "./planted-fault.ts";
import { runProgramFaults } from "./program-faults.ts";

const root = join(import.meta.dirname, "..", "..");
const { values, positionals } = parseArgs({
  options: {
    report: { type: "string" },
    only: { type: "string", multiple: true },
    exclude: { type: "string", multiple: true },
    without: { type: "string", multiple: true },
  },
  allowPositionals: true,
});

interface Subject {
  readonly directory: string;
  readonly run: (faults: readonly PlantedFault[]) => Promise<readonly FaultVerdict[]>;
}

/** Tests of programs. */
const PROGRAM_TESTS = [
  ["kas", "apps/kas", "apps/kas/src/hostile/cases.itest.ts"],
  ["leave", "e2e/leave", "e2e/leave/two-kas-leave.itest.ts"],
] as const;

/** Who has faults, and how its tests are run: in this process for packages, against a process of its own for a program. */
const SUBJECTS = new Map<string, Subject>([
  ...["health", "graph", "manifests", "live-table"].map((name) => [name, subjectIn(`packages/${name}`, "src")] as const),
  ["rpc", subjectIn("packages/rpc", "src/address-rules")],
  ["environment-view", subjectIn("packages/environment-view", "src/**/server-{skew,time}.test.ts")],
  ["agentk", subjectIn("apps/agentk", "src/{gitops,service-proxy}")],
  ["views", subjectIn("apps/kas/src/views", "**")],
  ...PROGRAM_TESTS.filter(([, , test]) => values.exclude?.includes(test) !== true).map(
    ([name, directory, test]) => [name, programSubject(directory, [test])] as const,
  ),
]);

const results: object[] = [];
let bad = 0;
for (const name of wanted()) results.push(await outcomeOf(name));
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify({ testResults: results }));
process.stdout.write(bad === 0 ? "every planted fault is found\n" : `${bad} planted faults are not found\n`);
process.exitCode = bad === 0 ? 0 : 1;

/** Those that were named, or all but those that are not wanted. */
function wanted(): readonly string[] {
  return positionals.length > 0 ? positionals : [...SUBJECTS.keys()].filter((name) => values.without?.includes(name) !== true);
}

/** @param path of a package or an app, which has the faults; `tests` is where the tests are in it: a folder, or the files themselves */
function subjectIn(path: string, tests: string): Subject {
  const directory = join(root, path);
  const engine = { root, include: [join(path, tests.endsWith(".test.ts") ? tests : `${tests}/**/*.test.ts`)] };
  const how = { packageDir: directory, engine, lanes: Math.min(2, availableParallelism()), limitMs: 60_000, onVerdict: say };
  return { directory, run: (faults) => runFaults({ ...how, faults }) };
}

function programSubject(path: string, tests: readonly string[]): Subject {
  const directory = join(root, path);
  return {
    directory,
    run: (faults) => runProgramFaults({ root, packageDir: directory, tests, faults, onVerdict: say }),
  };
}

/** Runs the faults of one subject; a run that cannot begin is a failed file of the report. */
async function outcomeOf(name: string): Promise<object> {
  const title = `planted faults of ${name}`;
  const started = Date.now();
  try {
    const subject = SUBJECTS.get(name);
    if (subject === undefined) throw new Error(`there is none of that name; there are ${[...SUBJECTS.keys()].join(", ")}`);
    const all = readPlantedFaults(subject.directory);
    const faults = values.only === undefined ? all : all.filter(({ id }) => values.only?.includes(id));
    const verdicts = faults.length === 0 ? [] : await subject.run(faults);
    process.stdout.write(`${name}: ${faults.length} planted faults in ${Math.round((Date.now() - started) / 1000)} s\n`);
    const assertionResults = verdicts.map(({ fault, verdict, because }) => ({
      fullName: `${name}: ${fault.id}: ${fault.what}`,
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
