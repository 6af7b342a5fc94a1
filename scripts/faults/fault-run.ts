import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { EngineAnswer, EngineOptions, EngineTask, TestSuite } from "./engine-protocol.ts";
import { FaultEngineProcess, type EngineOutcome } from "./fault-engine-process.ts";
import { nearestTests } from "./nearest-tests.ts";
import { applyFault, type PlantedFault } from "./planted-fault.ts";

/** What became of one fault. Only `found` is good. */
export interface FaultVerdict {
  readonly fault: PlantedFault;
  readonly verdict: "found" | "survived" | "not-alone" | "does-not-apply" | "broken";
  /** The test that found it, or what is wrong. */
  readonly because: string;
}

/** Faults of one package, and how to run its tests. */
export interface FaultRun {
  /** Directory that `file` of a fault is relative to. */
  readonly packageDir: string;
  readonly faults: readonly PlantedFault[];
  readonly engine: EngineOptions;
  /** Engines at once. */
  readonly lanes: number;
  /** Shortest time after which tests count as endless; it is longer where they take long without a fault. */
  readonly limitMs: number;
  /** Called for each verdict as it comes. */
  readonly onVerdict?: (verdict: FaultVerdict) => void;
}

/** Longest time for the tests without a fault, on a very busy machine. */
const GREEN_MS = 300_000;

/**
 * Plants one fault after the other and runs the tests. In the order of the faults.
 *
 * @throws Error when the tests fail without any fault: then everything would look found
 */
export async function runFaults(run: FaultRun): Promise<readonly FaultVerdict[]> {
  const verdicts = new Map<PlantedFault, FaultVerdict>();
  const waiting = [...run.faults];
  const engines = Array.from({ length: Math.max(1, Math.min(run.lanes, waiting.length)) }, () => new FaultEngineProcess(run.engine));
  const lane = async (engine: FaultEngineProcess, { durationMs, suite }: GreenRun): Promise<void> => {
    const limitMs = Math.max(run.limitMs, 10 * durationMs);
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      const verdict = await judge(fault, (task) => engine.run(task, limitMs), { packageDir: run.packageDir, suite });
      verdicts.set(fault, verdict);
      run.onVerdict?.(verdict);
    }
  };
  try {
    const [first] = engines;
    if (first === undefined) throw new Error("there is no engine");
    // The others need not run all tests: the first one knows them.
    const green = await runGreen(first);
    await Promise.all(engines.map((engine) => lane(engine, green)));
  } finally {
    for (const engine of engines) engine.close();
  }
  return run.faults.flatMap((fault) => verdicts.get(fault) ?? []);
}

type GreenRun = Required<Pick<EngineAnswer, "durationMs" | "suite">>;

/** Runs all tests without a fault. @throws Error when one fails, or when there is none */
async function runGreen(engine: FaultEngineProcess): Promise<GreenRun> {
  const outcome = await engine.run({}, GREEN_MS);
  if (outcome.kind !== "answered")
    throw new Error(`The tests without a fault ${outcome.kind === "hung" ? "do not end" : "end their process"}.`);
  const { passed, failed, errors, durationMs, suite } = outcome.answer;
  const wrong = [...failed, ...errors];
  if (wrong.length > 0) throw new Error(`The tests fail without a fault: ${wrong.join("; ")}`);
  if (passed === 0 || suite === undefined) throw new Error("There are no tests.");
  return { durationMs, suite };
}

async function judge(
  fault: PlantedFault,
  runTests: (task: EngineTask) => Promise<EngineOutcome>,
  { packageDir, suite }: Pick<FaultRun, "packageDir"> & Pick<GreenRun, "suite">,
): Promise<FaultVerdict> {
  const task = plant(fault, join(packageDir, fault.file), suite);
  if (typeof task === "string") return { fault, verdict: "does-not-apply", because: task };
  const outcome = await runTests(task);
  if (outcome.kind === "hung") return { fault, verdict: "found", because: "the tests do not end" };
  if (outcome.kind === "died") return { fault, verdict: "found", because: "the process of the tests ends" };
  const { failed, errors } = outcome.answer;
  const [first] = failed;
  const others = fault.case === undefined ? [] : failed.filter((title) => title !== fault.case);
  if (others.length > 0) return { fault, verdict: "not-alone", because: `found by ${others.join(", ")}` };
  if (first !== undefined) return { fault, verdict: "found", because: first };
  // Code that does not even load would be found by anybody: such a fault proves nothing.
  if (errors.length > 0) return { fault, verdict: "broken", because: errors.join("; ") };
  return { fault, verdict: "survived", because: "every test passes" };
}

/** The task with the fault in it, or why there is none. */
function plant(fault: PlantedFault, file: string, suite: TestSuite): EngineTask | string {
  let source: string;
  try {
    source = readFileSync(file, "utf8");
  } catch {
    return `there is no file ${fault.file}`;
  }
  const applied = applyFault(source, fault);
  if (applied.kind === "refused") return applied.reason;
  const replaced = { file, source: applied.source };
  const nearest = nearestTests(suite, file);
  if (fault.case === undefined) return { replaced, tests: nearest };
  const ofCase = suite.files.filter(({ titles }) => titles.some((title) => title === fault.case)).map(({ path }) => path);
  return { replaced, tests: nearest.filter((path) => ofCase.includes(path)), toEnd: true };
}
