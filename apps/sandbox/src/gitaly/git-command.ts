import { spawn } from "node:child_process";

/** A git command that failed: its exit code and error output. */
export class GitError extends Error {
  readonly exitCode: number | null;

  constructor(argv: readonly string[], exitCode: number | null, errorText: string) {
    super(`git ${argv.join(" ")} failed: ${errorText.trim()}`);
    this.name = "GitError";
    this.exitCode = exitCode;
  }
}

/** How a git command runs. */
export interface GitOptions {
  /** Working tree or bare repository. */
  readonly dir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input; empty by default. */
  readonly input?: string;
  readonly signal?: AbortSignal;
}

/**
 * Runs git and gives what it printed. Nothing of the machine's git configuration is used, pathspecs are literal.
 *
 * @throws GitError when it exits with another code than 0
 */
export async function runGit(argv: readonly string[], options: GitOptions): Promise<Buffer> {
  const child = spawn("git", [...argv], {
    cwd: options.dir,
    stdio: ["pipe", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      HOME: options.dir,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_LITERAL_PATHSPECS: "1",
      ...options.env,
    },
    ...(options.signal ? { signal: options.signal } : {}),
  });
  const printed: Buffer[] = [];
  let errorText = "";
  child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errorText += text));
  // A command that ends before it has read everything says why by its code.
  child.stdin.on("error", () => {});
  child.stdin.end(options.input ?? "");
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new GitError(argv, code, errorText);
  return Buffer.concat(printed);
}
