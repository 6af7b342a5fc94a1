/**
 * `npm run fuzz -- [minutes] [file …]`: runs the property tests with other examples every time, and slow ones as often as they name
 * (`propertyRuns`), for so many minutes (default 10), all of them or those in files whose path contains one of the texts. Ends with 1 at
 * the first failure, and says how to see it again.
 * `npm run fuzz -- hostile [minutes]`: random attacks on every port of a running kas, in one go (apps/kas/src/hostile).
 */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const MAX_SEED = 2 ** 31 - 1;
const PROJECTS = ["--project", "unit", "--project", "integration"];
/** Cases of the tests that throw requests at listeners; they read it themselves. */
const FUZZ_CASES = "10000";
const ATTACKER = "apps/kas/src/hostile/attacker.itest.ts";

/** @param own variables of the files' own */
function runWith(seed: number, files: readonly string[], own: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve) => {
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const child = spawn(process.execPath, [vitest, "run", ...PROJECTS, "--reporter=dot", ...files], {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, PROPERTY_SEED: String(seed), FUZZ_CASES, ...own },
    });
    child.on("exit", (code) => resolve(code ?? 1));
    child.on("error", () => resolve(1));
  });
}

const argv = process.argv.slice(2);
const hostile = argv[0] === "hostile";
const [minutes = "10", ...parts] = hostile ? [argv[1] ?? "10", ATTACKER] : argv;
const tests = globSync("{apps,packages,scripts,e2e}/**/*.{test,itest}.{ts,tsx}", {
  cwd: root,
  exclude: (path) => path.includes("node_modules"),
});
const files = tests
  .filter((file) => readFileSync(join(root, file), "utf8").includes('from "fast-check"'))
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
const limitMs = Number(minutes) * 60_000;
if (!(limitMs > 0) || files.length === 0) {
  process.stderr.write("usage: npm run fuzz -- [minutes] [part of the path of a test with properties …] | hostile [minutes]\n");
  process.exit(2);
}

const deadline = Date.now() + limitMs;
let rounds = 0;
for (let leftMs = limitMs; leftMs > 0; leftMs = deadline - Date.now()) {
  const seed = randomInt(MAX_SEED);
  if ((await runWith(seed, files, hostile ? { PROPERTY_MS: String(leftMs) } : {})) !== 0) {
    process.stderr.write(
      `\nAgain: PROPERTY_SEED=${seed} FUZZ_CASES=${FUZZ_CASES} npx vitest run ${PROJECTS.join(" ")} ${parts.length === 0 ? "<file>" : files.join(" ")}\n`,
    );
    process.exit(1);
  }
  rounds += 1;
}
process.stdout.write(`${rounds} rounds of ${files.length} files, each with other examples: none failed\n`);
