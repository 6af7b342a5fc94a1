import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { eventually, Program } from "@binnacle/testing";

import { send, targetOf } from "../support/bearer-request.ts";
import type { Command } from "../support/endpoints.ts";
import { startCommand, type Started } from "../support/process-control.ts";
import { pushConfiguration } from "../support/push-configuration.ts";
import { Sandbox } from "../support/sandbox.ts";
import { fillCluster, letAgentKeepViews, writeAgentKubeconfig } from "./cluster-filling.ts";
import { startGoSizedLink, type GoSizedLink } from "./go-sized-link.ts";
import { namespaceName } from "./namespace-workload.ts";

/** As whom people act in the cluster. */
type AccessAs = "user" | "agent";

/** Colleagues of the sandbox: two for the kinds of rights, five for crowds. */
const COLLEAGUES = 7;
/** More of them, each of whom queries their identity once: kas caches its answers. */
const WITNESSES = 80;
const WITNESS_MS = 500;

/**
 * A real API server with an audit log and many namespaces, and the product of this checkout on it: kas, one agentk, the dashboard, and a
 * main application with an environment for each namespace. Agent and dashboard can be replaced.
 */
export class ThousandWorld {
  readonly namespaces: readonly string[];
  readonly auditLog: string;
  readonly sandbox: Sandbox;
  readonly #plane: ControlPlane;
  readonly #directory: string;
  /** That was started here, in the place of the sandbox's. */
  #agentk: Started | undefined;
  #link: GoSizedLink | undefined;
  #web: Program | undefined;
  #witnesses = 0;
  #access: AccessAs | undefined;

  private constructor(parts: {
    readonly plane: ControlPlane;
    readonly directory: string;
    readonly sandbox: Sandbox;
    readonly namespaces: readonly string[];
  }) {
    if (parts.plane.auditLog === undefined) throw new Error("the control plane keeps no audit log");
    this.auditLog = parts.plane.auditLog;
    this.sandbox = parts.sandbox;
    this.namespaces = parts.namespaces;
    this.#plane = parts.plane;
    this.#directory = parts.directory;
  }

  /** Starts everything, with our own agentk. @param count of namespaces */
  static async start(count: number, access: AccessAs): Promise<ThousandWorld> {
    const directory = mkdtempSync(join(tmpdir(), "binnacle-thousand-"));
    // Without a service account controller pods have no service account that could be requested.
    const apiServerArgs = ["--disable-admission-plugins=ServiceAccount"];
    const plane = await startControlPlane({ dir: join(directory, "cluster"), apiServerOnly: true, audit: true, apiServerArgs });
    try {
      await fillCluster(plane, count);
      const kubeconfig = join(directory, "agentk.json");
      await writeAgentKubeconfig(plane, kubeconfig);
      const namespaces = Array.from({ length: count }, (_, index) => namespaceName(index));
      const flags = ["--kubeconfig", kubeconfig, "--namespace", namespaces.join(","), "--colleagues", String(COLLEAGUES + WITNESSES)];
      const sandbox = await Sandbox.start({ cluster: "embedded", flags: [...flags, "--restart", "never"] });
      const world = new ThousandWorld({ plane, directory, sandbox, namespaces });
      await world.setAccess(access);
      return world;
    } catch (error) {
      await plane.stop();
      rmSync(directory, { recursive: true, force: true });
      throw error;
    }
  }

  get project(): string {
    return this.sandbox.endpoints.environments[0]?.project ?? "";
  }

  /** The cluster identity of developers of the project. It applies to users without an earlier request. */
  async setAccess(as: AccessAs): Promise<void> {
    if (as === this.#access) return;
    await pushConfiguration(this.sandbox, () => `user_access:\n  access_as:\n    ${as}: {}\n  projects:\n    - id: ${this.project}\n`);
    for (;;) {
      const witness = `colleague-${COLLEAGUES + ++this.#witnesses}`;
      const username = await whoIs(this.kubeconfigOf(witness));
      if (username !== undefined && username.startsWith("gitlab:user:") === (as === "user")) break;
      if (this.#witnesses % (WITNESSES / 2) === 0) throw new Error(`kas does not take the configuration: ${witness} is ${username}`);
      await new Promise((resolve) => setTimeout(resolve, WITNESS_MS));
    }
    this.#access = as;
  }

  /** Leads through kas, as that person. */
  kubeconfigOf(username: string): string {
    const file = this.sandbox.endpoints.kubeconfigs.viaKasAs[username];
    if (file === undefined) throw new Error(`there is no kubeconfig of ${username}`);
    return file;
  }

  /** Another dashboard in the place of the one that runs, as it is shipped: it knows nothing of before. */
  async restartWeb(): Promise<Program> {
    const { commands, pids } = this.sandbox.endpoints;
    if (this.#web) await this.#web.kill();
    else await ended(pids.web, "SIGKILL");
    const readyFile = join(this.#directory, "web.json");
    rmSync(readyFile, { force: true });
    const [, main = "", ...args] = commands.web.argv;
    args[args.indexOf("--ready-file") + 1] = readyFile;
    this.#web = await Program.start({ main, args, readyFile, env: commands.web.env });
    return this.#web;
  }

  /** Gives our agentk, which may read less until then, all that it needs to keep views, and starts it in the place of the agent that runs. */
  async letAgentKeepViews(): Promise<void> {
    await letAgentKeepViews(this.#plane);
    const { commands, pids } = this.sandbox.endpoints;
    const [command] = commands.agentk;
    if (command === undefined) throw new Error("endpoints.json names no command for agentk");
    await ended(this.#agentk?.child.pid ?? pids.agentk[0] ?? 0, "SIGTERM");
    this.#agentk = startCommand(command);
  }

  /** In the place of our agentk: one of a Go agent's size, without our capabilities. */
  async useGoSizedAgent(): Promise<GoSizedLink> {
    const { kas, commands, pids } = this.sandbox.endpoints;
    const [command] = commands.agentk;
    if (command === undefined) throw new Error("endpoints.json names no command for agentk");
    this.#link = await startGoSizedLink(kas[0]?.agent ?? "");
    await ended(this.#agentk?.child.pid ?? pids.agentk[0] ?? 0, "SIGTERM");
    this.#agentk = startCommand(changed(command, "--kas-address", this.#link.url));
    return this.#link;
  }

  async stop(): Promise<void> {
    await this.#web?.kill();
    this.#agentk?.stop();
    this.#link?.close();
    await this.sandbox.stop();
    await this.#plane.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** The cluster identity of a user; `undefined`: none, or not yet. */
async function whoIs(kubeconfig: string): Promise<string | undefined> {
  const target = targetOf(kubeconfig);
  const answer = await send(target, "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }),
  });
  // A SelfSubjectReview, or a Status.
  const review = (await answer.body.json()) as { readonly status?: { readonly userInfo?: { readonly username?: string } } };
  await target.dispatcher.close();
  return answer.statusCode < 300 ? review.status?.userInfo?.username : undefined;
}

function changed(command: Command, flag: string, value: string): Command {
  const argv = [...command.argv];
  argv[argv.indexOf(flag) + 1] = value;
  return { ...command, argv };
}

/** Ends a process of the sandbox, and waits until it is gone. */
async function ended(pid: number, signal: NodeJS.Signals): Promise<void> {
  if (pid <= 0) throw new Error("endpoints.json names no such process");
  process.kill(pid, signal);
  await eventually(() => (existsSync(`/proc/${pid}`) ? `process ${pid} is still there` : undefined), 20_000);
}
