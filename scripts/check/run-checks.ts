import { execFile } from "node:child_process";

/** One tool, and what it holds. */
export interface Check {
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  /** What it prints is worth reading even when it holds. */
  readonly tells?: boolean;
}

/** Most tools use one core; more at once than this would only make each slower on a small machine. */
const LANES = 2;

/** Runs all checks, those `inOrder` one after the other and first; prints how each went and sets the exit code to 1 when one failed. */
export async function runChecks(
  root: string,
  { inOrder, independent }: { readonly inOrder: readonly Check[]; readonly independent: readonly Check[] },
): Promise<void> {
  let failed = 0;
  /** Takes the first check and runs it, until none is left; several lanes may draw from one list. */
  const drain = async (queue: Check[]): Promise<void> => {
    for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
      if (!(await holds(check, root))) failed += 1;
    }
  };
  await drain([...inOrder]);
  const waiting = [...independent];
  await Promise.all(Array.from({ length: LANES }, () => drain(waiting)));
  process.stdout.write(failed === 0 ? "everything holds\n" : `${failed} of ${inOrder.length + independent.length} checks failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** Runs one check to its end and prints how it went. */
function holds(check: Check, root: string): Promise<boolean> {
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
