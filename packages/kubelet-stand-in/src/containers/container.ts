import type { Clock } from "@binnacle/rpc";

import type { ByteSink, ByteSource } from "../streams/byte-streams.ts";
import type { FileBudget } from "./file-system.ts";
import { fileSystemOf, type ImageKind } from "./image.ts";
import { runProgram, type Machine, type Process, type ProcessChanges } from "./process.ts";
import { programAt } from "./programs.ts";
import type { Terminal } from "./terminal.ts";

/** What a container is made from. */
export interface ContainerSpec {
  readonly hostname: string;
  readonly imageKind: ImageKind;
  readonly env: Readonly<Record<string, string>>;
}

/** Streams of a program that a client starts. */
export interface ProcessStreams {
  readonly stdin: ByteSource;
  readonly stdout: ByteSink;
  readonly stderr: ByteSink;
  readonly terminal: Terminal | undefined;
  readonly signal: AbortSignal;
}

/** The runtime could not start the program: the message of the container runtime, without an exit code of the program. */
export class StartError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.name = "StartError";
    this.exitCode = exitCode;
  }
}

const PATH = ["/usr/local/bin", "/usr/bin", "/bin"];
const MAX_PROCESS_DEPTH = 64;

/** One simulated container: a file system and the programs of its image. Nothing of it runs on the host. */
export class Container {
  readonly #machine: Machine;
  readonly #env: ReadonlyMap<string, string>;

  constructor(spec: ContainerSpec, clock: Clock, budget: FileBudget = { usedBytes: 0, maxBytes: Infinity }) {
    this.#machine = {
      hostname: spec.hostname,
      files: fileSystemOf(spec.imageKind, spec.hostname, { now: () => clock.now(), budget }),
      clock,
    };
    this.#env = new Map(
      Object.entries({
        PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        HOSTNAME: spec.hostname,
        HOME: "/root",
        ...spec.env,
      }),
    );
  }

  /**
   * Runs a command as `exec` does and resolves to its exit code.
   *
   * @throws StartError when the image has no such program, in the words of runc
   */
  async exec(command: readonly string[], streams: ProcessStreams): Promise<number> {
    const [name = ""] = command;
    const found = this.#resolve(name);
    if (found === undefined || found === "denied") {
      const reason = found === "denied" ? "permission denied" : "no such file or directory";
      const why = name.includes("/") ? `stat ${name}: ${reason}` : `exec: "${name}": executable file not found in $PATH`;
      const text = name.includes("/") && found === undefined ? why : found === "denied" ? `exec: "${name}": permission denied` : why;
      throw new StartError(
        `OCI runtime exec failed: exec failed: unable to start container process: ${text}`,
        found === "denied" ? 126 : 127,
      );
    }
    const env = new Map(this.#env);
    if (streams.terminal !== undefined) env.set("TERM", "xterm");
    return this.#start(command, { ...streams, env, cwd: "/" }, 0);
  }

  /** The container is gone: its files are given back, programs that still run cannot write any. */
  dispose(): void {
    this.#machine.files.dispose();
  }

  /** @returns the path of a program; "denied", which is no path: the file is none */
  #resolve(name: string): string | undefined {
    const { files } = this.#machine;
    const candidates = name.includes("/") ? [name] : PATH.map((folder) => `${folder}/${name}`);
    const path = candidates.find((candidate) => files.find(candidate)?.kind === "file");
    if (path === undefined) return name.includes("/") && files.find(name) !== undefined ? "denied" : undefined;
    const node = files.find(path);
    return node !== undefined && (node.mode & 0o111) !== 0 && programAt(path) !== undefined ? path : "denied";
  }

  async #start(
    args: readonly string[],
    own: Required<Omit<ProcessChanges, "terminal">> & Pick<Process, "terminal">,
    depth: number,
  ): Promise<number> {
    const [name = ""] = args;
    const complain = async (message: string, code: number): Promise<number> => {
      await own.stderr.write(`sh: ${name}: ${message}\n`);
      return code;
    };
    if (depth > MAX_PROCESS_DEPTH) return complain("Resource temporarily unavailable", 126);
    const path = this.#resolve(name);
    if (path === undefined) return complain("not found", 127);
    const program = path === "denied" ? undefined : programAt(path);
    if (program === undefined) return complain("Permission denied", 126);
    const process: Process = {
      ...own,
      machine: this.#machine,
      args,
      run: (inner, changes = {}) => this.#start(inner, { ...own, ...changes }, depth + 1),
    };
    return runProgram(program, process);
  }
}
