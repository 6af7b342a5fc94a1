import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ScriptedGoAgent, type GoRelease } from "./scripted-go-agent.ts";

/** Where an agent dials, with which token, and its cluster. */
interface GoAgentWorld {
  readonly kasUrl: string;
  readonly token: string;
  readonly server: string;
  readonly caFile: string;
  /** With a bearer token of the cluster. */
  readonly kubeconfig: string;
}

/** An agent of a Go release, scripted or the program itself. */
export interface GoAgentProgram {
  readonly name: string;
  readonly release: GoRelease;
  /** @returns stops it */
  readonly start: (world: GoAgentWorld) => Promise<() => Promise<void>>;
}

/** Environment variables that name the programs. */
const PROGRAMS = { "14.1.1": "GO_AGENTK_14", "16.5.0": "GO_AGENTK_16" } as const satisfies Record<GoRelease, string>;
const RELEASES: readonly GoRelease[] = ["14.1.1", "16.5.0"];

/** The scripted agent of each release and, for each variable that is set, the program that it names. */
export function goAgents(environment: NodeJS.ProcessEnv): GoAgentProgram[] {
  return RELEASES.flatMap((release) => {
    const program = environment[PROGRAMS[release]];
    return [scripted(release), ...(program === undefined || program === "" ? [] : [binary(release, program)])];
  });
}

function scripted(release: GoRelease): GoAgentProgram {
  return {
    name: `scripted agentk ${release}`,
    release,
    async start({ kasUrl, token, server, caFile, kubeconfig }) {
      const cluster = { server, ca: readFileSync(caFile), token: tokenOf(kubeconfig) };
      const agent = await ScriptedGoAgent.connect(kasUrl, { release, token, cluster });
      return async () => agent.stop();
    },
  };
}

function binary(release: GoRelease, program: string): GoAgentProgram {
  return {
    name: `agentk ${release} (${PROGRAMS[release]})`,
    release,
    async start({ kasUrl, token, kubeconfig }) {
      const directory = mkdtempSync(join(tmpdir(), "go-agentk-"));
      const tokenFile = join(directory, "token");
      writeFileSync(tokenFile, token);
      const child = spawn(program, ["--kas-address", kasUrl, "--token-file", tokenFile, "--kubeconfig", kubeconfig], {
        env: { POD_NAMESPACE: "gitlab-agent", POD_NAME: "go", SERVICE_ACCOUNT_NAME: "agentk" },
        stdio: "ignore",
      });
      const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()).once("error", () => resolve()));
      return async () => {
        child.kill("SIGKILL");
        await exited;
        rmSync(directory, { recursive: true, force: true });
      };
    },
  };
}

function tokenOf(kubeconfig: string): string {
  const token = /token: "([^"]+)"/.exec(readFileSync(kubeconfig, "utf8"))?.[1];
  if (token === undefined) throw new Error(`${kubeconfig} has no token`);
  return token;
}
