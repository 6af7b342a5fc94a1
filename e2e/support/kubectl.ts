import { spawn, type ChildProcessByStdio } from "node:child_process";
import { join } from "node:path";
import type { Readable } from "node:stream";

/** What a kubectl run left. */
export interface KubectlResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The ordinary kubectl of `KUBEBUILDER_ASSETS`, or the one on PATH. */
const KUBECTL = process.env["KUBEBUILDER_ASSETS"] === undefined ? "kubectl" : join(process.env["KUBEBUILDER_ASSETS"], "kubectl");

/** Starts kubectl and leaves it running; the caller ends it. */
export function spawnKubectl(kubeconfig: string, args: readonly string[]): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(KUBECTL, ["--kubeconfig", kubeconfig, ...args], { stdio: ["ignore", "pipe", "pipe"] });
}

/** Runs kubectl to its end. @param input text for its standard input */
export function runKubectl(kubeconfig: string, args: readonly string[], input?: string): Promise<KubectlResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(KUBECTL, ["--kubeconfig", kubeconfig, ...args], { stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => void (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => void (stderr += chunk.toString()));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, stdout, stderr }));
    child.stdin.end(input ?? "");
  });
}

/** Runs kubectl and wants success. @returns its standard output @throws with its words */
export async function kubectl(kubeconfig: string, args: readonly string[], input?: string): Promise<string> {
  const result = await runKubectl(kubeconfig, args, input);
  if (result.code !== 0) throw new Error(`kubectl ${args.join(" ")} ended with ${result.code}: ${result.stderr}`);
  return result.stdout;
}
