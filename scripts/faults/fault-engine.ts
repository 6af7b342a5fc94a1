/**
 * A child process that runs the tests of one package with one source replaced, again and again, in one vitest: nothing is
 * written to disk, because others work in the same tree. Started by fault-engine-process.ts with `{ root, include }` as JSON.
 */
import { BaseSequencer, createVitest, type TestSpecification, type Vitest } from "vitest/node";

import type { EngineAnswer, EngineOptions, EngineTask } from "./engine-protocol.ts";

/** Quick tests first: most faults are found by one of them, and the rest is not run then. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const weight = ({ moduleId }: TestSpecification): number => (moduleId.includes(".property.") ? 1 : 0);
    return files.toSorted((left, right) => weight(left) - weight(right) || (left.moduleId < right.moduleId ? -1 : 1));
  }
}

let replaced: { readonly file: string; readonly source: string } | undefined;

async function openVitest({ root, include }: EngineOptions): Promise<Vitest> {
  const plugin = {
    name: "planted-fault",
    enforce: "pre" as const,
    load(id: string): string | undefined {
      return replaced !== undefined && id.split("?")[0] === replaced.file ? replaced.source : undefined;
    },
  };
  return createVitest(
    {
      root,
      config: false,
      watch: false,
      include: [...include],
      bail: 1,
      maxWorkers: 1,
      isolate: false,
      pool: "threads",
      testTimeout: 30_000,
      // It would answer for a file that is replaced, and keep what a fault made of it.
      fsModuleCache: false,
      // What a fault changes must never be written down as expected.
      update: "none",
      reporters: [{}],
      sequence: { sequencer: QuickFirst },
    },
    { plugins: [plugin] },
  );
}

/** One run; a file that cannot even be loaded counts as broken, not as a failed test. */
async function run(vitest: Vitest, specifications: TestSpecification[], task: EngineTask): Promise<EngineAnswer> {
  if (replaced !== undefined) vitest.invalidateFile(replaced.file);
  replaced = task.replaced;
  if (replaced !== undefined) vitest.invalidateFile(replaced.file);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  let passed = 0;
  const failed: string[] = [];
  for (const testModule of testModules) {
    for (const test of testModule.children.allTests()) {
      const { state } = test.result();
      if (state === "passed") passed += 1;
      else if (state === "failed") failed.push(test.fullName);
    }
  }
  const errors = [...testModules.flatMap((testModule) => testModule.errors()), ...unhandledErrors];
  return { passed, failed, errors: errors.map(firstLine) };
}

function firstLine(error: unknown): string {
  const message = typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error);
  return message.slice(0, 400);
}

// The parent gives exactly this; another shape fails in vitest.
const options = JSON.parse(process.argv[2] ?? "{}") as EngineOptions;
const vitest = await openVitest(options);
const specifications = await vitest.globTestSpecifications();
process.on("message", (task: EngineTask) => {
  run(vitest, specifications, task).then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ passed: 0, failed: [], errors: [firstLine(error)] } satisfies EngineAnswer),
  );
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
