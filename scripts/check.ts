/** `npm run check`: everything a tool can hold. Runs all steps, prints the output of those that fail, ends with 1 when one did. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const bin = (name: string): string => join(root, "node_modules", ".bin", name);

interface Check {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
}

const checks: readonly Check[] = [
  { title: "contracts: lint", command: bin("buf"), args: ["lint"] },
  {
    title: "contracts: nothing breaks",
    command: bin("buf"),
    args: ["breaking", "packages/proto/proto", "--against", "packages/proto/contract.binpb", "--config", "buf.yaml"],
  },
  { title: "contracts: generated code", command: bin("buf"), args: ["generate"] },
  {
    title: "generated files are committed",
    command: "git",
    args: ["diff", "--exit-code", "--stat", "--", "packages/proto/gen", "docs/reference"],
  },
  { title: "formatting", command: bin("prettier"), args: ["--check", "--log-level", "warn", "."] },
  { title: "lint", command: bin("oxlint"), args: ["--type-aware", "--deny-warnings"] },
  { title: "direction of imports", command: bin("turbo"), args: ["boundaries"] },
  { title: "types", command: bin("turbo"), args: ["run", "typecheck", "--output-logs=errors-only"] },
  { title: "types of scripts", command: bin("tsc"), args: ["-p", "scripts/tsconfig.json"] },
  { title: "unused files, exports and dependencies", command: bin("knip"), args: ["--no-progress"] },
  { title: "unit tests", command: bin("vitest"), args: ["run", "--project", "unit", "--reporter=dot"] },
];

let failed = 0;
for (const check of checks) {
  const started = Date.now();
  const result = spawnSync(check.command, check.args, {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
  });
  const ok = result.status === 0;
  process.stdout.write(`${ok ? "ok  " : "FAIL"} ${check.title} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
  if (!ok) {
    failed += 1;
    process.stdout.write(`${result.error?.message ?? ""}${result.stdout}${result.stderr}\n`);
  }
}
process.stdout.write(failed === 0 ? "everything holds\n" : `${failed} of ${checks.length} checks failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
