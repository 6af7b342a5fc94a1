import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { parse, stringify } from "yaml";

import type { Command } from "../support/endpoints.ts";
import type { Sandbox } from "../support/sandbox.ts";

/** A kas and an agentk beside those of the sandbox, without TLS: the figures we compare with were taken in plain text. */
export interface PlainKas {
  readonly k8sProxy: string;
  readonly kasPid: number;
  readonly agentkPid: number;
  stop(): void;
}

/** Every `address` of a configuration on a free port, and no certificate. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "certificate_file" && key !== "key_file");
  return Object.fromEntries(
    entries.map(([key, inner]) => [
      key,
      key === "address" && inner !== undefined && String(inner).startsWith("127.") ? "127.0.0.1:0" : plain(inner),
    ]),
  );
}

function argumentOf(command: Command, flag: string): string {
  const value = command.argv[command.argv.indexOf(flag) + 1];
  if (value === undefined) throw new Error(`the command has no ${flag}`);
  return value;
}

async function start(command: Command, changes: Readonly<Record<string, string>>, readyFile: string): Promise<ChildProcess> {
  const argv = [...command.argv];
  for (const [flag, value] of Object.entries({ ...changes, "--ready-file": readyFile })) argv[argv.indexOf(flag) + 1] = value;
  const [program = process.execPath, ...args] = argv;
  const child = spawn(program, args, {
    cwd: command.cwd,
    env: { ...process.env, ...command.env, OWN_PRIVATE_API_URL: "" },
    stdio: "ignore",
  });
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error(`${args[0]} ended with ${child.exitCode}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return child;
}

/** Starts them on the sandbox's main application and Gitaly. */
export async function startPlainKas(sandbox: Sandbox): Promise<PlainKas> {
  const directory = mkdtempSync(join(tmpdir(), "binnacle-plain-"));
  const { commands } = sandbox.endpoints;
  const [kasCommand] = commands.kas;
  const [agentkCommand] = commands.agentk;
  if (kasCommand === undefined || agentkCommand === undefined) throw new Error("endpoints.json names no commands");
  const configuration = join(directory, "kas.yaml");
  writeFileSync(configuration, stringify(plain(parse(readFileSync(argumentOf(kasCommand, "--configuration-file"), "utf8")))));
  const kasReady = join(directory, "kas.json");
  const kas = await start(kasCommand, { "--configuration-file": configuration }, kasReady);
  // kas writes this file itself.
  const bound = JSON.parse(readFileSync(kasReady, "utf8")) as { agent: string; k8sProxy: string };
  const changes = { "--kas-address": `grpc://${bound.agent}`, "--observability-listen-address": "127.0.0.1:0" };
  const agentk = await start(agentkCommand, changes, join(directory, "agentk.json"));
  return {
    k8sProxy: `http://${bound.k8sProxy}`,
    kasPid: kas.pid ?? 0,
    agentkPid: agentk.pid ?? 0,
    stop() {
      agentk.kill("SIGTERM");
      kas.kill("SIGTERM");
    },
  };
}
