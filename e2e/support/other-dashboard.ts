import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Page } from "@playwright/test";
import { parse, stringify } from "yaml";

import { metricsOf } from "./canary-places.ts";
import { pick } from "./endpoints.ts";
import { freePort } from "./free-port.ts";
import { startCommand, type Started } from "./process-control.ts";
import type { Sandbox } from "./sandbox.ts";
import { TcpProxy } from "./tcp-proxy.ts";

const READY_MS = 60_000;

/** How a web process differs from the sandbox's own. */
interface OtherWebOptions {
  /** What browsers call it, with its prefix if it has one. */
  readonly url: string;
  readonly port: number;
  /** The program and where it runs; the sandbox's own, out of the workspace, when absent. */
  readonly program?: Program | undefined;
  /** Further keys of its configuration. */
  readonly configuration?: object | undefined;
}

interface Program {
  readonly file: string;
  readonly cwd: string;
  readonly home: string;
}

/** A web process beside a sandbox's own. */
export interface OtherWeb {
  readonly port: number;
  readonly pid: number;
  /** Streams to browsers that are open. */
  readonly openStreams: () => Promise<number>;
  /** @returns the code it has ended with */
  readonly stop: () => Promise<number | null>;
}

/** A second dashboard beside a sandbox's own, under another name and behind a network that can be disturbed. */
export interface OtherDashboard extends Omit<OtherWeb, "port" | "pid"> {
  readonly network: TcpProxy;
  /** What browsers call it, with its prefix. */
  readonly url: string;
  /** URL of an environment's graph. */
  readonly graphUrl: (environment: string) => string;
  /** Signs in with a personal access token, and goes on to `url`. */
  readonly signIn: (page: Page, url: string) => Promise<void>;
}

/** Starts a web process with the configuration of the sandbox's own, its session keys among it. */
export async function startOtherWeb(sandbox: Sandbox, { url, port, program, configuration: more }: OtherWebOptions): Promise<OtherWeb> {
  const { commands } = sandbox.endpoints;
  const observability = await freePort();
  const fileOf = (ending: string): string => join(sandbox.directory, "run", `other-${port}.${ending}`);
  const [file, ready] = [fileOf("yaml"), fileOf("json")] as const;
  const { argv } = commands.web;
  const before = argv[argv.indexOf("--configuration-file") + 1] ?? "";
  // The sandbox wrote it.
  const configuration = parse(readFileSync(before, "utf8")) as object;
  const changed = { ...configuration, ...more, listen: { address: `127.0.0.1:${port}` }, external_url: url };
  writeFileSync(file, stringify({ ...changed, observability: { listen: { address: `127.0.0.1:${observability}` } } }));
  const replaced = argv.map((each, at) =>
    argv[at - 1] === "--configuration-file" ? file : argv[at - 1] === "--ready-file" ? ready : each,
  );
  const started = program === undefined ? startCommand({ ...commands.web, argv: replaced }) : startProgram(program, replaced);
  const { child } = started;
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const deadline = Date.now() + READY_MS;
  while (!existsSync(ready)) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error("the second dashboard does not start");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    port,
    pid: child.pid ?? 0,
    openStreams: () => openStreamsOf(`http://127.0.0.1:${observability}`),
    stop: () => {
      started.stop();
      return ended;
    },
  };
}

/** Signs in with a user's personal access token (default: the maintainer's) at the dashboard that browsers call `base`, and goes on to `url`. */
export async function signInWithToken(
  page: Page,
  sandbox: Sandbox,
  { base, url, username: name = "maintainer" }: { readonly base: string; readonly url: string; readonly username?: string },
): Promise<void> {
  const { personalAccessToken } = pick(sandbox.endpoints.users, ({ username }) => username === name);
  await page.goto(`${base}/sign-in?return_to=${encodeURIComponent(url.slice(base.length))}`);
  await page.getByLabel("Personal access token").fill(personalAccessToken);
  await page.getByRole("button", { name: "Sign in with a token" }).click();
  await page.waitForURL((address) => address.href.startsWith(url.split("?")[0] ?? url));
}

/** URL of an environment's graph in the dashboard that browsers call `base`. */
export function graphUrlAt(sandbox: Sandbox, base: string, environment: string): string {
  const { environments, dashboard } = sandbox.endpoints;
  const { url } = pick(environments, ({ name }) => name === environment);
  return `${url.replace(new URL(dashboard).origin, base)}?view=graph`;
}

/** Starts one. @param host what browsers call it; a name needs `--host-resolver-rules` */
export async function startOtherDashboard(
  sandbox: Sandbox,
  host: string,
  { prefix = "", ...how }: { readonly prefix?: string } & Pick<OtherWebOptions, "program" | "configuration"> = {},
): Promise<OtherDashboard> {
  const port = await freePort();
  const network = await TcpProxy.start(() => port);
  const base = `http://${host}:${network.port}${prefix}`;
  const web = await startOtherWeb(sandbox, { ...how, url: base, port });
  return {
    network,
    url: base,
    graphUrl: (environment) => graphUrlAt(sandbox, base, environment),
    signIn: (page, url) => signInWithToken(page, sandbox, { base, url }),
    openStreams: web.openStreams,
    stop: async () => {
      const ended = web.stop();
      await network.stop();
      return ended;
    },
  };
}

/** The same command for another program, with nothing of this process' environment. */
function startProgram({ file, cwd, home }: Program, argv: readonly string[]): Started {
  const at = argv.findIndex((each) => each.endsWith("main.ts"));
  const child = spawn(argv[0] ?? "", [file, ...argv.slice(at + 1)], { cwd, env: { HOME: home, TMPDIR: home }, stdio: "ignore" });
  return { child, stop: () => void child.kill("SIGTERM") };
}

/** Streams to browsers that a dashboard has open. @param observability URL of its listener */
export async function openStreamsOf(observability: string): Promise<number> {
  const [web] = await metricsOf([["web", observability]]);
  const lines = (web?.text ?? "").matchAll(/^web_streams_open\{[^}]*\} (\d+)$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}
