import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { PartName } from "./parts.ts";
import { buildStep, faultsStep, playwrightStep, vitestStep, type RunnerContext } from "./runners.ts";
import type { Selection } from "./selection.ts";
import type { Step } from "./step.ts";
import { longTestFiles, testFiles } from "./test-files.ts";

/** A part of `npm test` that can be named. */
interface TestPart {
  readonly needs: readonly PartName[];
  readonly step: (context: RunnerContext, files?: readonly string[]) => Step;
  /** Runs only when it is named. */
  readonly onlyByName?: true;
}

const browserPart = (project: string, where: string, ...needs: readonly PartName[]): TestPart => ({
  needs: ["chromium", ...needs],
  step: (context, files) => playwrightStep(context, { project, where }, files),
});

/**
 * In the order in which they begin, two side by side: the long ones first, and the short unit tests last, so that both lanes end at about
 * the same time. docs/design/conventions.md "Tests and counting" has the seconds of each.
 */
const TEST_PARTS = {
  integration: { needs: [], step: (context, files) => vitestStep(context, "integration", files) },
  build: { needs: [], step: buildStep },
  chaos: { needs: ["redis"], step: (context, files) => vitestStep(context, "chaos", files) },
  "foreign-clients": {
    needs: ["control-plane", "redis"],
    step: (context, files) => vitestStep(context, "foreign-clients", files),
    onlyByName: true,
  },
  faults: { needs: [], step: (context) => faultsStep(context, "changed") },
  "faults-all": { needs: [], step: (context) => faultsStep(context, "all"), onlyByName: true },
  real: browserPart("real", "on the real cluster", "control-plane"),
  embedded: browserPart("embedded", "on the embedded cluster"),
  "embedded-all": { ...browserPart("embedded-all", "on the embedded cluster, those of the real one too"), onlyByName: true },
  pages: browserPart("pages", "of pages without a cluster"),
  unit: { needs: [], step: (context, files) => vitestStep(context, "unit", files) },
} satisfies Readonly<Record<string, TestPart>>;

/** Names of all parts. */
export const TEST_PART_NAMES: readonly string[] = Object.keys(TEST_PARTS);

/** Parts that are projects of Playwright, in which specifications run unless another is named. */
export const BROWSER_PARTS: readonly string[] = ["real", "embedded", "pages"];

/** What to plan for. */
export interface PlanRequest {
  readonly root: string;
  readonly reports: string;
  readonly missing: readonly PartName[];
  readonly selection: Selection;
}

/** The steps of `npm test` on this machine, in the order in which they begin. */
export interface Plan {
  readonly steps: readonly Step[];
  /** What is left out, and why. */
  readonly left: readonly string[];
}

/** Parts that the first lines of a test file ask for: `// needs: redis, control-plane`. */
export function needsOf(source: string): readonly string[] {
  const match = /^\/\/ needs: *(.+)$/m.exec(source);
  return match?.[1] === undefined ? [] : match[1].split(",").map((name) => name.trim());
}

function filesLackingParts(request: PlanRequest): readonly { readonly file: string; readonly lacking: readonly string[] }[] {
  return testFiles(request.root)
    .filter((file) => file.endsWith(".itest.ts") || file.endsWith(".spec.ts"))
    .map((file) => {
      const needs = needsOf(readFileSync(join(request.root, file), "utf8"));
      return { file, lacking: needs.filter((need) => request.missing.some((name) => name === need)) };
    })
    .filter((entry) => entry.lacking.length > 0);
}

/** The steps of `npm test` on this machine, and what is left out of them and why. */
export function planOf(request: PlanRequest): Plan {
  const { root, reports, missing, selection } = request;
  const lacking = filesLackingParts(request);
  const excluded = new Set(lacking.map(({ file }) => file));
  const context = { root, reports, excluded: [...excluded], long: longTestFiles(root) };
  const isWanted = (file: string): boolean =>
    selection.kind === "all" || [...selection.files.values()].some((files) => files.includes(file));
  const isByName = selection.kind === "some" && selection.parts.length > 0;
  const left = lacking.filter(({ file }) => isByName || isWanted(file)).map((entry) => `${entry.file} needs ${entry.lacking.join(", ")}`);
  const steps = Object.entries<TestPart>(TEST_PARTS).flatMap(([name, part]) => {
    const files = selection.kind === "some" && !selection.parts.includes(name) ? (selection.files.get(name) ?? []) : undefined;
    if (selection.kind === "all" ? part.onlyByName === true : files?.length === 0) return [];
    const possible = files?.filter((file) => !excluded.has(file));
    if (possible?.length === 0) return [];
    const step = part.step(part.onlyByName === true ? { ...context, long: [] } : context, possible);
    const lacks = part.needs.filter((need) => missing.includes(need));
    if (lacks.length === 0) return [step];
    left.push(`${step.title} (needs ${lacks.join(", ")})`);
    return [];
  });
  return { steps, left };
}
