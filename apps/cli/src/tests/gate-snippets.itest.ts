import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { until } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";

import { BUNDLE, temporaryHome } from "../testing/cli-process.ts";
import { DEGRADED, deliveredOf, headerOf, HEALTHY, HEARTBEAT, snapshotOf } from "../testing/made-environment.ts";
import { StandInDashboard } from "../testing/stand-in-dashboard.ts";

const PAGE = readFileSync(new URL("../../../../docs/how-to/gate-a-deployment.md", import.meta.url), "utf8");
const OLD = "a".padEnd(40, "1");
const NEW = "b".padEnd(40, "2");

/** The steps of a snippet as a shell script, and how its runner starts the shell. */
interface Snippet {
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The parts of both snippets that run. */
interface Gates {
  readonly gitlab: { readonly gate: { readonly script: readonly string[] } };
  readonly github: {
    readonly jobs: { readonly gate: { readonly env: Record<string, string>; readonly steps: readonly { readonly run: string }[] } };
  };
}

const [first, second] = [...PAGE.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = ""]): unknown => parse(text));
// Without these parts the tests below fail.
const { gitlab, github } = { gitlab: first, github: second } as Gates;
const SNIPPETS: readonly (readonly [string, Snippet])[] = [
  ["GitLab CI", { script: gitlab.gate.script.join("\n"), env: { CI_COMMIT_SHA: NEW, CI_PROJECT_PATH: "group/app" } }],
  [
    "GitHub Actions",
    {
      script: github.jobs.gate.steps.map(({ run }) => run).join("\n"),
      env: { GITHUB_SHA: NEW, BINNACLE_PROJECT: github.jobs.gate.env["BINNACLE_PROJECT"] ?? "" },
    },
  ],
];

let dashboard: StandInDashboard;
let home: ReturnType<typeof temporaryHome>;
beforeEach(async () => {
  dashboard = await StandInDashboard.start();
  home = temporaryHome();
  // In the place of npx, which would fetch the package that is not published yet.
  const npx = join(home.path, "bin", "npx");
  mkdirSync(join(home.path, "bin"));
  writeFileSync(npx, `#!/bin/sh\n[ "$1 $2" = "--yes @binnacle/cli" ] || exit 99\nshift 2\nexec "${process.execPath}" "${BUNDLE}" "$@"\n`);
  chmodSync(npx, 0o755);
});
afterEach(async () => {
  await dashboard.close();
  home.remove();
});

function runAsShell({ script, env }: Snippet) {
  const child = spawn("bash", ["-eo", "pipefail", "-c", script], {
    env: {
      PATH: `${join(home.path, "bin")}:${process.env["PATH"] ?? ""}`,
      HOME: home.path,
      BINNACLE_URL: dashboard.url,
      BINNACLE_TOKEN: "glpat-ann",
      ...env,
    },
  });
  const job = { notes: "", exited: new Promise<number | null>((resolve) => child.once("close", resolve)) };
  child.stderr.on("data", (chunk: Buffer) => (job.notes += chunk.toString()));
  return job;
}

describe.each(SNIPPETS)("the snippet for %s", (_, snippet) => {
  test("is green once the deployed commit is healthy, and not before", async () => {
    dashboard.opening = [headerOf(OLD), snapshotOf(HEALTHY)];
    const job = runAsShell(snippet);
    await until(
      () => job.notes.includes("waiting for the revision"),
      () => job.notes,
    );
    dashboard.send(HEARTBEAT, 60_000);
    dashboard.send(deliveredOf(NEW));
    await until(
      () => job.notes.includes("waiting for a confirmation"),
      () => job.notes,
    );
    dashboard.send(HEARTBEAT, 70_000);
    expect(await job.exited).toBe(0);
  });

  test("fails when the deployed commit stays degraded", async () => {
    dashboard.opening = [headerOf(NEW), snapshotOf(DEGRADED)];
    const job = runAsShell(snippet);
    await until(
      () => job.notes.includes("waiting for it to settle"),
      () => job.notes,
    );
    dashboard.send(HEARTBEAT, 31_000);
    expect(await job.exited).toBe(1);
  });
});
