/**
 * A child process that runs the tests of one package with one source replaced, again and again, in one vitest: nothing is
 * written to disk, because others work in the same tree. Started by fault-engine-process.ts with `{ root, include }` as JSON.
 */
import { join } from "node:path";

import { BaseSequencer, createVitest, type TestModule, type TestSpecification, type Vitest } from "vitest/node";

import type { EngineAnswer, EngineOptions, EngineTask, TestSuite } from "./engine-protocol.ts";

/** Leaves the tests in the order in which they are given. */
class AsGiven extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
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
      // Properties draw the examples that `npm test` draws: with others a fault would be found in one run and not in the next.
      setupFiles: [join(import.meta.dirname, "..", "test", "property-seed.ts")],
      bail: 1,
      maxWorkers: 1,
      isolate: false,
      pool: "threads",
      testTimeout: 30_000,
      // Not every machine has one, and the embedded cluster beside it finds the same faults in less time.
      testNamePattern: /^(?!.*a real control plane)/,
      // It would answer for a file that is replaced, and keep what a fault made of it.
      fsModuleCache: false,
      // What a fault changes must never be written down as expected.
      update: "none",
      reporters: [{}],
      sequence: { sequencer: AsGiven },
    },
    { plugins: [plugin] },
  );
}

/** One run; a file that cannot even be loaded counts as broken, not as a failed test. */
async function run(vitest: Vitest, specifications: TestSpecification[], task: EngineTask): Promise<EngineAnswer> {
  if (replaced !== undefined) vitest.invalidateFile(replaced.file);
  replaced = task.replaced;
  if (replaced !== undefined) vitest.invalidateFile(replaced.file);
  for (const project of vitest.projects) project.config.bail = task.toEnd === true ? 0 : 1;
  const tests = task.tests?.flatMap((path) => specifications.filter(({ moduleId }) => moduleId === path)) ?? specifications;
  // No test imports it, so no test can notice.
  if (tests.length === 0) return { passed: 0, failed: [], errors: [], durationMs: 0 };
  const started = Date.now();
  const requested = new Set(tests.map(({ moduleId }) => moduleId));
  const { testModules: known, unhandledErrors } = await vitest.runTestSpecifications(tests);
  // It reports every file that it ever ran, also those of other faults.
  const testModules = known.filter(({ moduleId }) => requested.has(moduleId));
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
  const answer = { passed, failed, errors: errors.map(firstLine), durationMs: Date.now() - started };
  return replaced === undefined ? { ...answer, suite: suiteOf(vitest, testModules) } : answer;
}

function suiteOf(vitest: Vitest, testModules: readonly TestModule[]): TestSuite {
  const importers: Record<string, readonly string[]> = {};
  for (const { vite } of vitest.projects) {
    for (const { moduleGraph } of Object.values(vite.environments)) {
      for (const { file, importers: modules } of moduleGraph.idToModuleMap.values()) {
        const paths = [...modules].flatMap((importer) => importer.file ?? []);
        if (file !== null) importers[file] = [...new Set([...(importers[file] ?? []), ...paths])];
      }
    }
  }
  const files = testModules.map((testModule) => ({
    path: testModule.moduleId,
    durationMs: testModule.diagnostic().duration,
    titles: [...testModule.children.allTests()].map(({ fullName }) => fullName),
  }));
  return { files, importers };
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
    (error: unknown) => process.send?.({ passed: 0, failed: [], errors: [firstLine(error)], durationMs: 0 } satisfies EngineAnswer),
  );
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
