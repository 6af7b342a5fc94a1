import { rmSync } from "node:fs";
import { join } from "node:path";

import { Program } from "@binnacle/testing";

import { clientOf, openSession } from "../support/dashboard-client.ts";
import { pick, type Command } from "../support/endpoints.ts";
import { kubectl } from "../support/kubectl.ts";
import { Sandbox } from "../support/sandbox.ts";
import type { Figure } from "./goals.ts";
import { PageTerminal } from "./page-terminal.ts";
import { figuresOfTerminals, memoryOf } from "./terminal-memory.ts";

const ENVIRONMENT = "staging";
/** One session may have 40 streams. */
const VIEWERS = 10;
const TERMINALS_OF_VIEWER = 10;

/**
 * What 100 open terminals of pages take in all processes: web, two kas and agentk. Those of the sandbox are replaced by ones whose garbage can be collected;
 * agentk is at the second kas, web calls the first.
 */
export async function webTerminalFigures(): Promise<readonly Figure[]> {
  const cluster = process.env["KUBEBUILDER_ASSETS"] === undefined ? "embedded" : "real";
  const flags = ["--kas", "2", "--restart", "never", "--colleagues", String(VIEWERS)];
  const sandbox = await Sandbox.start({ cluster, flags });
  const programs = new Map<string, Program>();
  try {
    await replacePrograms(sandbox, programs);
    return await measure(sandbox, Object.fromEntries(programs));
  } finally {
    for (const program of programs.values()) await program.kill();
    await sandbox.stop();
  }
}

/** In the order in which they need each other: kas, agentk, web. */
async function replacePrograms(sandbox: Sandbox, programs: Map<string, Program>): Promise<void> {
  const { commands, pids } = sandbox.endpoints;
  const [first, second] = commands.kas;
  const [agentk] = commands.agentk;
  if (first === undefined || second === undefined || agentk === undefined) throw new Error("endpoints.json lacks a command");
  for (const pid of [pids.web, ...pids.agentk, ...pids.kas]) await endProcess(pid);
  for (const [name, command] of Object.entries({ "first kas": first, "second kas": second, agentk, web: commands.web }))
    programs.set(name, await startProgram(sandbox, name, command));
}

async function endProcess(pid: number): Promise<void> {
  process.kill(pid, "SIGKILL");
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function startProgram(sandbox: Sandbox, name: string, { argv, env }: Command): Promise<Program> {
  const readyFile = join(sandbox.directory, `${name.replace(" ", "-")}.json`);
  rmSync(readyFile, { force: true });
  const [, ...rest] = argv;
  const at = rest.findIndex((argument) => !argument.startsWith("-"));
  const [nodeFlags, main = "", args] = [rest.slice(0, at), rest[at], rest.slice(at + 1)];
  args[args.indexOf("--ready-file") + 1] = readyFile;
  return Program.start({ main, args, nodeFlags, env, readyFile });
}

async function measure(sandbox: Sandbox, programs: Readonly<Record<string, Program>>): Promise<readonly Figure[]> {
  const { environments, kubeconfigs } = sandbox.endpoints;
  const { project, namespace } = pick(environments, ({ name }) => name === ENVIRONMENT);
  const direct = (...args: string[]): Promise<string> => kubectl(kubeconfigs.cluster, args);
  await direct("create", "clusterrolebinding", "bench-terminals", "--clusterrole=edit", "--group=gitlab:user");
  const selector = ["-l", "app.kubernetes.io/name=web", "--field-selector", "status.phase=Running"];
  const pod = await direct("-n", namespace, "get", "pods", ...selector, "-o", "jsonpath={.items[0].metadata.name}");
  const sessions = await Promise.all(Array.from({ length: VIEWERS }, (_, index) => openSession(sandbox, `colleague-${index + 1}`)));
  const request = { projectPath: project, environment: ENVIRONMENT, namespace, pod, size: { columns: 80, rows: 24 } };
  const terminals: PageTerminal[] = [];
  const open = async (index: number): Promise<PageTerminal> => {
    const session = sessions[index % VIEWERS];
    if (session === undefined) throw new Error("there is no session");
    const terminal = new PageTerminal(session, await clientOf(session).openTerminal(request));
    await terminal.type("echo hel''lo\r", /\nhello\r\n/);
    return terminal;
  };
  // Sessions, environments and rights that a viewer has read belong to the viewer, not to a terminal.
  for (const terminal of await Promise.all(sessions.map((_, index) => open(index)))) terminal.close();
  const before = await memoryOf(programs);
  for (let index = 0; index < VIEWERS * TERMINALS_OF_VIEWER; index += 1) terminals.push(await open(index));
  const after = await memoryOf(programs);
  for (const terminal of terminals) terminal.close();
  return figuresOfTerminals(terminals.length, before, after);
}
