import { Fault } from "@binnacle/rpc";

import { parseFlags, USAGE, type Flags } from "./flags.ts";
import type { Endpoints } from "./orchestrator/endpoints-file.ts";
import { openBrowser } from "./orchestrator/open-browser.ts";
import { findRedisServer } from "./orchestrator/redis-server.ts";
import { NO_REDIS, startSandbox } from "./orchestrator/sandbox.ts";
import { findPrometheus, NO_PROMETHEUS } from "./prometheus/start-prometheus.ts";

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Exit codes: 0 stopped on request, 1 could not start, 2 invalid flags. */
async function main(): Promise<number> {
  const parsed = parseFlags(process.argv.slice(2));
  const problems = parsed.kind === "problems" ? [...parsed.problems] : [];
  if (parsed.kind === "flags" && parsed.flags.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (parsed.kind === "flags" && parsed.flags.kas > 1 && parsed.flags.redis === undefined && findRedisServer() === undefined)
    problems.push(NO_REDIS);
  if (parsed.kind === "flags" && parsed.flags.prometheus && findPrometheus() === undefined) problems.push(NO_PROMETHEUS);
  if (parsed.kind === "problems" || problems.length > 0) {
    for (const problem of problems) say(problem);
    return 2;
  }
  return run(parsed.flags);
}

async function run(flags: Flags): Promise<number> {
  // Timers of the kits do not keep a process alive.
  const alive = setInterval(() => {}, 60_000);
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop.abort());
  try {
    const sandbox = await startSandbox({ flags, signal: stop.signal, say });
    if (flags.kubeconfig !== undefined)
      say("The maintainer acts with the rights of the kubeconfig's user; nothing is created in that cluster.");
    for (const { repository, environment, directory } of sandbox.endpoints.manifestProjects)
      say(`${environment} is deployed from ${directory} of ${repository}: clone it, push a change and watch`);
    process.stdout.write(`${readyLine(sandbox.endpoints)}\n`);
    if (flags.open) openBrowser(sandbox.endpoints.dashboard);
    await ended(stop.signal);
    say("stopping");
    await sandbox.stop();
    return 0;
  } catch (error) {
    if (stop.signal.aborted) return 0;
    say(error instanceof Fault ? error.message : `unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return error instanceof Fault && error.reason === "configuration_invalid" ? 2 : 1;
  } finally {
    clearInterval(alive);
  }
}

function readyLine(endpoints: Endpoints): string {
  const people = endpoints.users.map((user) => `${user.username} / ${user.password}`).join(", ");
  return `Ready: ${endpoints.dashboard} (sign in as ${people})`;
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

process.exit(await main());
