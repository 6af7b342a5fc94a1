import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { PartName } from "./parts.ts";

const BUILD = "build of the dashboard";

/** One child process of the test run. Without a report only its exit code counts. */
export interface Step {
  readonly title: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly report?: string;
  /** Title of a step that must have ended before; one that does not run is not waited for. */
  readonly after?: string;
}

/** What to plan for. `only` limits the run to steps whose name is listed; empty means all. */
export interface PlanRequest {
  readonly root: string;
  readonly reports: string;
  readonly missing: readonly PartName[];
  readonly only: readonly string[];
}

/** Parts that the first lines of a test file ask for: `// needs: redis, control-plane`. */
export function needsOf(source: string): readonly string[] {
  const match = /^\/\/ needs: *(.+)$/m.exec(source);
  return match?.[1] === undefined ? [] : match[1].split(",").map((name) => name.trim());
}

function filesLackingParts(request: PlanRequest): readonly { readonly file: string; readonly lacking: readonly string[] }[] {
  const files = globSync("{apps,packages,scripts,e2e}/**/*.{itest,spec}.ts", {
    cwd: request.root,
    exclude: (path) => path.includes("node_modules"),
  });
  return files
    .map((file) => {
      const needs = needsOf(readFileSync(join(request.root, file), "utf8"));
      return { file, lacking: needs.filter((need) => request.missing.some((name) => name === need)) };
    })
    .filter((entry) => entry.lacking.length > 0)
    .sort((a, b) => a.file.localeCompare(b.file));
}

/** The steps of `npm test` on this machine. */
export interface Plan {
  /**
   * In the order in which they begin, two side by side: what waits for processes beside what computes, then the browsers, of which what takes
   * longest begins when least is left.
   */
  readonly steps: readonly Step[];
  /** What is left out, and why. */
  readonly left: readonly string[];
}

/** The steps of `npm test` on this machine, and what is left out of them and why. */
export function planOf(request: PlanRequest): Plan {
  const bin = (path: string): string => join(request.root, "node_modules", path);
  const lacking = filesLackingParts(request);
  const left = lacking.map((entry) => `${entry.file} needs ${entry.lacking.join(", ")}`);
  const excluded = lacking.map((entry) => entry.file);

  const vitest = (name: string): Step => ({
    title: `${name} tests`,
    command: [
      bin("vitest/vitest.mjs"),
      "run",
      "--project",
      name,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${join(request.reports, `${name}.json`)}`,
      ...excluded.filter((file) => file.endsWith(".itest.ts")).flatMap((file) => ["--exclude", file]),
    ],
    env: {},
    report: join(request.reports, `${name}.json`),
  });
  const faults: Step = {
    title: "planted faults in the rules",
    command: [
      join(request.root, "scripts/faults/main.ts"),
      "--report",
      join(request.reports, "faults.json"),
      // They take two minutes: `node scripts/faults/main.ts views` runs them.
      "--without",
      "views",
      ...excluded.filter((file) => file.endsWith(".itest.ts")).flatMap((file) => ["--exclude", file]),
    ],
    env: {},
    report: join(request.reports, "faults.json"),
  };
  const browserTests = (project: string, where: string): Step => ({
    title: `end-to-end tests ${where}`,
    // Else every sandbox of theirs would begin with it.
    after: BUILD,
    command: [
      bin("@playwright/test/cli.js"),
      "test",
      "--config",
      "e2e/playwright.config.ts",
      "--project",
      project,
      "--output",
      `test-results/${project}`,
    ],
    env: {
      PLAYWRIGHT_JSON_OUTPUT_NAME: join(request.reports, `e2e-${project}.json`),
      E2E_EXCLUDE: excluded.filter((file) => file.endsWith(".spec.ts")).join(","),
    },
    report: join(request.reports, `e2e-${project}.json`),
  });

  const build: Step = {
    title: BUILD,
    command: [bin("turbo/bin/turbo"), "run", "build", "--filter=@binnacle/web"],
    env: {},
  };
  type Named = readonly [name: string, step: Step, needs: readonly PartName[]];
  const chosen = (all: readonly Named[]): Step[] =>
    all.flatMap(([name, step, needs]) => {
      if (request.only.length > 0 && !request.only.includes(name)) return [];
      const lacks = needs.filter((need) => request.missing.includes(need));
      if (lacks.length === 0) return [step];
      left.push(`${step.title} (needs ${lacks.join(", ")})`);
      return [];
    });
  const steps = chosen([
    ["unit", vitest("unit"), []],
    ["integration", vitest("integration"), []],
    ["faults", faults, []],
    ["build", build, []],
    ["real", browserTests("real", "on the real cluster"), ["chromium", "control-plane"]],
    ["embedded", browserTests("embedded", "on the embedded cluster"), ["chromium"]],
    ["pages", browserTests("pages", "of pages without a cluster"), ["chromium"]],
  ]);
  return { steps, left };
}

/** The next step that may begin: the first whose predecessor, if it is among all, has ended. Nothing: one must end first, or none is left. */
export function nextOf({ steps }: Pick<Plan, "steps">, begun: ReadonlySet<Step>, ended: ReadonlySet<Step>): Step | undefined {
  const isReady = ({ after }: Step): boolean => steps.every((step) => step.title !== after || ended.has(step));
  return steps.find((step) => !begun.has(step) && isReady(step));
}
