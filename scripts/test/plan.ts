import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { PartName } from "./parts.ts";

/** One child process of the test run. Without a report only its exit code counts. */
export interface Step {
  readonly title: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly report?: string;
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
   * One round after the other. The lanes of a round run side by side, each in its order: what waits for processes beside what computes,
   * then the browsers of both clusters, who wait more than they compute; the shorter lane has those without a cluster too.
   */
  readonly rounds: readonly (readonly (readonly Step[])[])[];
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
    title: "build of the dashboard",
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
  const computing = chosen([
    ["unit", vitest("unit"), []],
    ["faults", faults, []],
    ["build", build, []],
  ]);
  const waiting = chosen([["integration", vitest("integration"), []]]);
  const embedded = chosen([["embedded", browserTests("embedded", "on the embedded cluster"), ["chromium"]]]);
  const others = chosen([
    ["real", browserTests("real", "on the real cluster"), ["chromium", "control-plane"]],
    ["pages", browserTests("pages", "of pages without a cluster"), ["chromium"]],
  ]);
  const rounds = [
    [computing, waiting],
    [embedded, others],
  ];
  return { rounds: rounds.map((lanes) => lanes.filter((lane) => lane.length > 0)).filter((lanes) => lanes.length > 0), left };
}
