import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { literalPattern } from "./literal-pattern.ts";

interface ListedSuite {
  readonly file: string;
  readonly suites?: readonly ListedSuite[];
  readonly specs: readonly { readonly tests: readonly { readonly projectName: string }[] }[];
}

/**
 * Asks Playwright which projects run a specification: only its configuration knows.
 *
 * @param specifications relative to the root
 * @param projects those to choose from
 * @returns file → projects; a file that is in none of them is absent
 * @throws Error with the output of Playwright when it cannot list them
 */
export function projectsOfSpecifications(
  root: string,
  specifications: readonly string[],
  projects: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const argv = [
    join(root, "node_modules/@playwright/test/cli.js"),
    "test",
    ...specifications.map((file) => `${literalPattern(file)}$`),
    "--config",
    "e2e/playwright.config.ts",
    "--list",
    "--reporter=json",
    ...projects.flatMap((project) => ["--project", project]),
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    // Else the list is written there.
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: "", E2E_EXCLUDE: "" },
  });
  if (status !== 0) throw new Error(`Playwright cannot list ${specifications.join(", ")}: ${stdout}${stderr}`);
  // The shape that its JSON reporter writes.
  const report = JSON.parse(stdout) as { readonly suites: readonly ListedSuite[] };
  const namesIn = (suite: ListedSuite): string[] => [
    ...suite.specs.flatMap(({ tests }) => tests.map(({ projectName }) => projectName)),
    ...(suite.suites ?? []).flatMap(namesIn),
  ];
  return new Map(
    report.suites.flatMap((suite) => {
      const file = specifications.find((each) => each.endsWith(`/${suite.file}`));
      return file === undefined ? [] : [[file, [...new Set(namesIn(suite))]] as const];
    }),
  );
}
