/** `npm run check`: everything a tool can hold. Runs all steps, prints the output of those that fail, ends with 1 when one did. */
import { execFile } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const bin = (name: string): string => join(root, "node_modules", ".bin", name);

interface Check {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  /** What it prints is worth reading even when it holds. */
  readonly tells?: boolean;
}

const GENERATED = ["packages/proto/gen", "packages/graph/src/packs", "packages/environment-view/src/view-engine.ts", "docs/reference"];

/** One after the other and before the rest: generating rewrites files that the others read. */
const contracts: readonly Check[] = [
  { title: "contracts: lint", command: bin("buf"), args: ["lint"] },
  {
    title: "contracts: nothing breaks",
    command: bin("buf"),
    args: ["breaking", "packages/proto/proto", "--against", "packages/proto/contract.binpb", "--config", "buf.yaml"],
  },
  { title: "contracts: generated code", command: bin("buf"), args: ["generate"] },
  { title: "contracts: generated enums", command: process.execPath, args: [join(root, "scripts", "enums", "main.ts")] },
  { title: "edge packs", command: process.execPath, args: [join(root, "packages", "graph", "dev", "write-packs.ts")] },
  { title: "the name of what makes views", command: process.execPath, args: [join(root, "scripts", "engine", "main.ts")] },
  {
    title: "generated files are committed",
    command: "git",
    args: ["diff", "--exit-code", "--stat", "--", ...GENERATED],
  },
];

/** In any order, the longest first. */
const independent: readonly Check[] = [
  { title: "unit tests", command: bin("vitest"), args: ["run", "--project", "unit", "--reporter=dot"] },
  { title: "formatting", command: bin("prettier"), args: ["--check", "--log-level", "warn", "."] },
  { title: "lint", command: bin("oxlint"), args: ["--type-aware", "--deny-warnings"] },
  {
    title: "citations, the map and the security table",
    command: process.execPath,
    args: [join(root, "scripts", "check", "main.ts")],
    tells: true,
  },
  {
    title: "regular expressions take linear time",
    command: process.execPath,
    args: [join(root, "scripts", "expressions", "main.ts")],
    tells: true,
  },
  { title: "direction of imports", command: bin("turbo"), args: ["boundaries"] },
  { title: "types", command: bin("turbo"), args: ["run", "typecheck", "--output-logs=errors-only"] },
  { title: "types of scripts", command: bin("tsc"), args: ["-p", "scripts/tsconfig.json"] },
  { title: "unused files, exports and dependencies", command: bin("knip"), args: ["--no-progress"] },
];

/** Most tools use one core; more at once than this would only make each slower on a small machine. */
const LANES = 2;

let failed = 0;
await drain([...contracts]);
const waiting = [...independent];
await Promise.all(Array.from({ length: LANES }, () => drain(waiting)));
process.stdout.write(failed === 0 ? "everything holds\n" : `${failed} of ${contracts.length + independent.length} checks failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

/** Takes the first check and runs it, until none is left; several lanes may draw from one list. */
async function drain(queue: Check[]): Promise<void> {
  for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
    if (!(await holds(check))) failed += 1;
  }
}

/** Runs one check to its end and prints how it went. */
function holds(check: Check): Promise<boolean> {
  const started = Date.now();
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024, env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" } };
  return new Promise((resolve) => {
    execFile(check.command, check.args, options, (error, stdout, stderr) => {
      process.stdout.write(`${error ? "FAIL" : "ok  "} ${check.title} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
      if (!error && check.tells === true) process.stdout.write(stdout);
      if (error) process.stdout.write(`${stdout}${stderr}${stdout === "" && stderr === "" ? error.message : ""}\n`);
      resolve(!error);
    });
  });
}
