import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";

import { Fault, sleep, systemClock } from "@binnacle/rpc";

/** How a build is run. */
export interface WebBuildOptions {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

const ANOTHER_BUILDS = /Another next build process is already running|A next build still in progress/;
const MAX_WAIT_MS = 180_000;

/**
 * Makes the dashboard's production build; nothing happens when it is up to date. While another process builds it, it waits.
 *
 * @throws Fault `internal` with the last lines of the build
 */
export async function buildWeb(root: string, options: WebBuildOptions): Promise<void> {
  const deadline = systemClock.now() + MAX_WAIT_MS;
  for (;;) {
    const { code, lines } = await runBuild(root, options);
    options.signal.throwIfAborted();
    if (code === 0) return;
    if (!lines.some((line) => ANOTHER_BUILDS.test(line)) || systemClock.now() > deadline) {
      throw new Fault("internal", `the dashboard could not be built:\n${lines.slice(-30).join("\n")}`);
    }
    options.say("dashboard: another process builds it, waiting");
    await sleep(systemClock, 2_000, options.signal);
  }
}

async function runBuild(
  root: string,
  options: WebBuildOptions,
): Promise<{ readonly code: number | null; readonly lines: readonly string[] }> {
  const argv = [
    join(root, "node_modules/turbo/bin/turbo"),
    "run",
    "build",
    "--filter=@binnacle/web",
    "--ui=stream",
    "--output-logs=new-only",
  ];
  const path = `${join(root, "node_modules/.bin")}:${process.env["PATH"] ?? ""}`;
  const child = spawn(process.execPath, argv, {
    cwd: root,
    env: { ...process.env, PATH: path, NEXT_TELEMETRY_DISABLED: "1", TURBO_TELEMETRY_DISABLED: "1", FORCE_COLOR: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const stop = (): void => {
    // The build's own processes are in its group.
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, "SIGTERM");
  };
  options.signal.addEventListener("abort", stop, { once: true });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (colored) => {
      const line = stripVTControlCharacters(colored);
      lines.push(line);
      if (/Creating an optimized|Compiled|Generating static|cache hit/.test(line))
        options.say(`dashboard: ${line.replace(/^@binnacle\/web:build: */, "").trim()}`);
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  options.signal.removeEventListener("abort", stop);
  return { code, lines };
}
