import { spawnSync } from "node:child_process";
import { join } from "node:path";

import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

test.each(["scripts/check.ts", "scripts/faults/main.ts", "e2e/bench/main.ts"])(
  "%s prints its usage, and names an unknown flag",
  (program) => {
    const run = (flag: string) => spawnSync(process.execPath, [join(root, program), flag], { cwd: root, encoding: "utf8" });
    const help = run("--help");
    expect({ status: help.status, stderr: help.stderr }).toEqual({ status: 0, stderr: "" });
    expect(help.stdout).toMatch(/^usage: /);
    const wrong = run("--bogus");
    expect({ status: wrong.status, stdout: wrong.stdout }).toEqual({ status: 2, stdout: "" });
    expect(wrong.stderr).toContain("'--bogus'");
    expect(wrong.stderr).toContain(help.stdout);
    expect(wrong.stderr).not.toMatch(/^ {4}at /m);
  },
);
