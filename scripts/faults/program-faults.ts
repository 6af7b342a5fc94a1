import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { failureOf, readReport } from "../test/report.ts";
import type { FaultVerdict } from "./fault-run.ts";
import { applyFault, type FaultEdit, type PlantedFault } from "./planted-fault.ts";

/** Faults of a program that its tests run as a process of its own. */
export interface ProgramFaultRun {
  /** Root of the repository. */
  readonly root: string;
  /** Directory that `file` of a fault is relative to. */
  readonly packageDir: string;
  readonly faults: readonly PlantedFault[];
  /** Test files, relative to the root. */
  readonly tests: readonly string[];
  /** Called for each verdict as it comes. */
  readonly onVerdict?: (verdict: FaultVerdict) => void;
}

/**
 * Plants one fault after the other in the program that the tests start; plant.ts puts it there. Each run of the tests is a process too,
 * so it takes seconds: a fault names the tests that are to notice it.
 *
 * @throws Error when those tests fail without any fault: then everything would look found
 */
export async function runProgramFaults(run: ProgramFaultRun): Promise<readonly FaultVerdict[]> {
  const directory = mkdtempSync(join(tmpdir(), "binnacle-faults-"));
  try {
    const every = [...new Set(run.faults.flatMap(({ test }) => test ?? []))].join("|");
    const green = await runTests(run, { directory, title: every, planted: {} });
    if (green.failures.length > 0) throw new Error(`The tests fail without a fault: ${green.failures.join("; ")}`);
    if (green.passed === 0) throw new Error("There are no tests.");
    const verdicts: FaultVerdict[] = [];
    for (const fault of run.faults) {
      const verdict = await judge(run, fault, directory);
      verdicts.push(verdict);
      run.onVerdict?.(verdict);
    }
    return verdicts;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function judge(run: ProgramFaultRun, fault: PlantedFault, directory: string): Promise<FaultVerdict> {
  const planted: Record<string, string> = {};
  for (const edit of [fault, ...(fault.also ?? [])]) {
    const refused = plantInto(planted, edit, run.packageDir);
    if (refused !== undefined) return { fault, verdict: "does-not-apply", because: refused };
  }
  const { passed, failures, problems } = await runTests(run, { directory, title: fault.test ?? "", planted });
  const [first] = failures;
  if (first !== undefined) return { fault, verdict: "found", because: first.split("\n").slice(0, 3).join(" ").slice(0, 200) };
  // A program that does not even start would be found by anybody.
  if (problems.length > 0 || passed === 0) return { fault, verdict: "broken", because: problems.join("; ") || "no test ran" };
  return { fault, verdict: "survived", because: "every test passes" };
}

/** @returns why it cannot be planted */
function plantInto(planted: Record<string, string>, edit: FaultEdit, packageDir: string): string | undefined {
  const file = join(packageDir, edit.file);
  let source: string;
  try {
    source = planted[file] ?? readFileSync(file, "utf8");
  } catch {
    return `there is no file ${edit.file}`;
  }
  const applied = applyFault(source, edit);
  if (applied.kind === "refused") return `${edit.file}: ${applied.reason}`;
  planted[file] = applied.source;
  return undefined;
}

interface TestRun {
  readonly directory: string;
  /** Part of the titles, as a regular expression; empty: all. */
  readonly title: string;
  readonly planted: Readonly<Record<string, string>>;
}

async function runTests(
  { root, tests }: ProgramFaultRun,
  { directory, title, planted }: TestRun,
): Promise<{ readonly passed: number; readonly failures: readonly string[]; readonly problems: readonly string[] }> {
  const [report, sources] = [join(directory, "report.json"), join(directory, "planted.json")];
  writeFileSync(sources, JSON.stringify(planted));
  rmSync(report, { force: true });
  const argv = ["run", "--project", "integration", "--bail", "1", "--reporter", "json", "--outputFile", report];
  const child = spawn(
    process.execPath,
    [join(root, "node_modules/vitest/vitest.mjs"), ...argv, ...(title === "" ? [] : ["-t", title]), ...tests],
    {
      cwd: root,
      stdio: "ignore",
      env: { ...process.env, PLANTED_FAULT: sources, NODE_OPTIONS: `--import=${join(import.meta.dirname, "plant.ts")}` },
    },
  );
  await new Promise<void>((resolve, reject) => child.once("exit", () => resolve()).once("error", reject));
  // Tests with other titles are skipped, which is no problem.
  const { results, problems } = readReport(report, root);
  const failed = results.filter(({ status }) => status === "failed");
  return { passed: results.length - failed.length, failures: failed.map(failureOf), problems };
}
