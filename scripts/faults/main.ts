/**
 * `node scripts/faults/main.ts [package …] [--report file] [--only id]`: plants the faults of packages/<name>/faults one at a
 * time and demands that the package's own tests find each. Writes a report in vitest's form, one test per fault.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { runFaults, type FaultVerdict } from "./fault-run.ts";
import { readPlantedFaults, type PlantedFault } from "./planted-fault.ts";

const root = join(import.meta.dirname, "..", "..");
const { values, positionals } = parseArgs({
  options: { report: { type: "string" }, only: { type: "string", multiple: true } },
  allowPositionals: true,
});
const names = positionals.length > 0 ? positionals : ["health", "graph"];

const results: object[] = [];
let bad = 0;
for (const name of names) {
  const packageDir = join(root, "packages", name);
  const all = readPlantedFaults(packageDir);
  const faults = values.only === undefined ? all : all.filter(({ id }) => values.only?.includes(id));
  const started = Date.now();
  results.push(await outcomeOf(name, { packageDir, faults }));
  process.stdout.write(`${name}: ${faults.length} planted faults in ${Math.round((Date.now() - started) / 1000)} s\n`);
}
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify({ testResults: results }));
process.stdout.write(bad === 0 ? "every planted fault is found\n" : `${bad} planted faults are not found\n`);
process.exitCode = bad === 0 ? 0 : 1;

/** Runs the faults of one package; a run that cannot begin is a failed file of the report. */
async function outcomeOf(name: string, { packageDir, faults }: { packageDir: string; faults: readonly PlantedFault[] }): Promise<object> {
  const title = `planted faults of packages/${name}`;
  try {
    const verdicts = await runFaults({
      packageDir,
      faults,
      engine: { root, include: [`packages/${name}/src/**/*.test.ts`] },
      lanes: Math.min(2, availableParallelism()),
      limitMs: 60_000,
      onVerdict: say,
    });
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
