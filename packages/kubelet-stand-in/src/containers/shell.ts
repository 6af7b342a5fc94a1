import { posix } from "node:path";

import { LineSource, Pipe, type ByteSink, type ByteSource } from "../streams/byte-streams.ts";
import { FileError } from "./file-system.ts";
import { INTERRUPTED, openForReading, openForWriting, pathOf, type Process, type Program } from "./process.ts";
import {
  parseScript,
  SyntaxFault,
  type AndOr,
  type Command,
  type Pipeline,
  type Redirection,
  type Script,
  type Word,
} from "./shell-parser.ts";
import { expandWord, expandWords } from "./shell-words.ts";

/** What a shell knows; a subshell has a copy. */
export interface ShellState {
  cwd: string;
  readonly variables: Map<string, string>;
  readonly exported: Set<string>;
  status: number;
  readonly parameters: readonly string[];
}

/** Streams and signal of a command that runs in a shell. */
interface Frame {
  readonly stdin: ByteSource;
  readonly stdout: ByteSink;
  readonly stderr: ByteSink;
  readonly signal: AbortSignal;
}

class ExitShell extends Error {
  readonly code: number;

  constructor(code: number) {
    super("exit");
    this.code = code;
  }
}

/** Ends the innermost loop. */
class LoopControl extends Error {
  readonly kind: "break" | "continue";

  constructor(kind: "break" | "continue") {
    super(kind);
    this.kind = kind;
  }
}

/** `sh`, `ash` and `bash`: `-c SCRIPT`, a script on the standard input, or a prompt on a terminal. */
export const shell: Program = async (process) => {
  const state: ShellState = {
    cwd: process.cwd,
    variables: new Map(process.env),
    exported: new Set(process.env.keys()),
    status: 0,
    parameters: [process.args[0] ?? "sh"],
  };
  const options = process.args.slice(1);
  const dashC = options.findIndex((option) => /^-[a-z]*c$/.test(option));
  const running = new Shell(process, dashC < 0 ? state : { ...state, parameters: options.slice(dashC + 2) });
  if (dashC >= 0) return running.exitCode(() => running.text(options[dashC + 1] ?? ""));
  const file = options.find((option) => !option.startsWith("-"));
  const source = new LineSource(file === undefined ? process.stdin : openForReading(process, file));
  return running.exitCode(() => running.read(source, file === undefined ? process.terminal !== undefined : false));
};

class Shell {
  readonly #process: Process;
  readonly #state: ShellState;

  constructor(process: Process, state: ShellState) {
    this.#process = process;
    this.#state = state;
  }

  async exitCode(run: () => Promise<void>): Promise<number> {
    try {
      await run();
    } catch (error) {
      if (error instanceof ExitShell) return error.code;
      if (!(error instanceof LoopControl)) throw error;
    }
    return this.#state.status;
  }

  async text(script: string): Promise<void> {
    const { stdin, stdout, stderr, signal } = this.#process;
    try {
      await this.#script(parseScript(script), { stdin, stdout, stderr, signal });
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      await this.#complain(`syntax error: ${error.message}`);
      this.#state.status = 2;
    }
  }

  /** Reads commands line by line until the end of the input. */
  async read(source: LineSource, interactive: boolean): Promise<void> {
    let pending = "";
    for (;;) {
      const { terminal, signal } = this.#process;
      const foreground = interactive && terminal ? AbortSignal.any([signal, terminal.foreground()]) : signal;
      if (interactive) await this.#process.stderr.write(pending === "" ? this.#prompt() : "> ");
      const line = await source.readLine();
      if (signal.aborted) return;
      if (foreground.aborted) {
        pending = "";
        this.#state.status = INTERRUPTED;
        continue;
      }
      if (line === undefined) return interactive && terminal?.isHungUp === false ? this.#process.stderr.write("exit\n") : undefined;
      try {
        const script = parseScript(`${pending}${line}\n`);
        pending = "";
        await this.#script(script, { stdin: source, stdout: this.#process.stdout, stderr: this.#process.stderr, signal: foreground });
      } catch (error) {
        if (!(error instanceof SyntaxFault)) throw error;
        pending = error.incomplete && pending.length < 64 * 1024 ? `${pending}${line}\n` : "";
        if (pending !== "") continue;
        this.#state.status = 2;
        await this.#complain(`syntax error: ${error.message}`);
      }
    }
  }

  #prompt(): string {
    const { machine, args } = this.#process;
    return posix.basename(args[0] ?? "").includes("bash") ? `root@${machine.hostname}:${this.#state.cwd}# ` : `${this.#state.cwd} # `;
  }

  #complain(message: string): Promise<void> {
    return this.#process.stderr.write(`${posix.basename(this.#process.args[0] ?? "sh")}: ${message}\n`);
  }

  async #script(script: Script, frame: Frame): Promise<void> {
    for (const one of script) {
      if (frame.signal.aborted) {
        this.#state.status = INTERRUPTED;
        return;
      }
      await this.#andOr(one, frame);
    }
  }

  async #andOr({ first, rest }: AndOr, frame: Frame): Promise<void> {
    await this.#pipeline(first, frame);
    for (const { operator, pipeline } of rest) {
      if (frame.signal.aborted) return;
      if ((operator === "&&") === (this.#state.status === 0)) await this.#pipeline(pipeline, frame);
    }
  }

  async #pipeline({ commands, negated }: Pipeline, frame: Frame): Promise<void> {
    const [only, ...more] = commands;
    if (only !== undefined && more.length === 0) await this.#command(only, frame);
    else {
      const pipes = more.map(() => new Pipe());
      const codes = await Promise.all(
        commands.map(async (command, index) => {
          const stdin = pipes[index - 1] ?? frame.stdin;
          const stdout = pipes[index] ?? frame.stdout;
          try {
            return await this.#subshell([{ first: { commands: [command], negated: false }, rest: [] }], { ...frame, stdin, stdout });
          } finally {
            pipes[index - 1]?.break();
            pipes[index]?.end();
          }
        }),
      );
      this.#state.status = codes.at(-1) ?? 0;
    }
    if (negated) this.#state.status = this.#state.status === 0 ? 1 : 0;
  }

  #subshell(script: Script, frame: Frame): Promise<number> {
    const copy = { ...this.#state, variables: new Map(this.#state.variables), exported: new Set(this.#state.exported) };
    const inner = new Shell(this.#process, copy);
    return inner.exitCode(() => inner.#script(script, frame));
  }

  async #command(command: Command, frame: Frame): Promise<void> {
    const state = this.#state;
    switch (command.kind) {
      case "simple":
        return this.#simple(command, frame);
      case "group": {
        const redirected = await this.#redirect(command.redirections, frame);
        if (redirected === undefined) return;
        if (command.subshell) state.status = await this.#subshell(command.body, redirected);
        else await this.#script(command.body, redirected);
        return;
      }
      case "if":
        for (const { test, body } of command.branches) {
          await this.#script(test, frame);
          if (state.status === 0) return this.#script(body, frame);
        }
        state.status = 0;
        return this.#script(command.otherwise, frame);
      case "while":
        return this.#loop(command.body, frame, async () => {
          await this.#script(command.test, frame);
          return (state.status === 0) !== command.until;
        });
      case "for": {
        const values = await this.#expand(command.words, frame);
        return this.#loop(command.body, frame, () => {
          const value = values.shift();
          if (value !== undefined) state.variables.set(command.name, value);
          return Promise.resolve(value !== undefined);
        });
      }
    }
  }

  async #loop(body: Script, frame: Frame, next: () => Promise<boolean>): Promise<void> {
    let status = 0;
    while (await next()) {
      if (frame.signal.aborted) return;
      // A loop without a program in it must not block the process.
      await new Promise<void>((resolve) => setImmediate(resolve));
      try {
        await this.#script(body, frame);
      } catch (error) {
        if (!(error instanceof LoopControl)) throw error;
        if (error.kind === "break") break;
      }
      status = this.#state.status;
    }
    this.#state.status = status;
  }

  #expand(words: readonly Word[], frame: Frame): Promise<string[]> {
    return expandWords(words, this.#expansion(frame));
  }

  #expansion(frame: Frame) {
    return {
      state: this.#state,
      files: this.#process.machine.files,
      output: async (script: Script, stdout: ByteSink) => {
        this.#state.status = await this.#subshell(script, { ...frame, stdout });
      },
    };
  }

  async #simple(command: Command & { readonly kind: "simple" }, frame: Frame): Promise<void> {
    const state = this.#state;
    const values = await this.#expand(command.words, frame);
    const assignments = new Map<string, string>();
    for (const value of values) {
      const match = /^([A-Za-z_]\w*)=(.*)$/s.exec(value);
      if (match === null) break;
      assignments.set(match[1] ?? "", match[2] ?? "");
    }
    const args = values.slice(assignments.size);
    const redirected = await this.#redirect(command.redirections, frame);
    if (redirected === undefined) return;
    if (args.length === 0) {
      for (const [name, value] of assignments) state.variables.set(name, value);
      if (values.length > 0 || command.words.length === 0) state.status = 0;
      return;
    }
    const builtin = await this.#builtin(args, redirected);
    if (builtin !== undefined) state.status = builtin;
    else state.status = await this.#start(args, redirected, assignments);
  }

  #start(args: readonly string[], frame: Frame, assignments: ReadonlyMap<string, string> = new Map()): Promise<number> {
    const exported = [...this.#state.variables].filter(([name]) => this.#state.exported.has(name));
    return this.#process.run(args, { ...frame, cwd: this.#state.cwd, env: new Map([...exported, ...assignments]) });
  }

  /** Runs a builtin; `undefined` when there is none of that name. */
  async #builtin(args: readonly string[], frame: Frame): Promise<number | undefined> {
    const [name = "", first, second] = args;
    const state = this.#state;
    switch (name) {
      case ":":
        return 0;
      case "exit":
        throw new ExitShell(first === undefined ? state.status : Number.parseInt(first, 10) & 255);
      case "break":
      case "continue":
        throw new LoopControl(name);
      case "cd":
        return this.#cd(first ?? state.variables.get("HOME") ?? "/", frame);
      case "pwd":
        await frame.stdout.write(`${state.cwd}\n`);
        return 0;
      case "export":
        for (const one of args.slice(1)) {
          const [variable = "", ...value] = one.split("=");
          if (one.includes("=")) state.variables.set(variable, value.join("="));
          state.exported.add(variable);
        }
        return 0;
      case "unset":
        for (const one of args.slice(1)) state.variables.delete(one);
        return 0;
      case "set":
        return 0;
      case "type":
        return this.#which(first ?? "", frame);
      case "command":
        return first === "-v" ? this.#which(second ?? "", frame) : this.#start(args.slice(1), frame);
      case "exec":
        if (first === undefined) return 0;
        throw new ExitShell(await this.#start(args.slice(1), frame));
      case "read":
        return this.#read(first ?? "REPLY", frame);
      default:
        return undefined;
    }
  }

  async #cd(target: string, frame: Frame): Promise<number> {
    const path = pathOf({ cwd: this.#state.cwd }, target);
    try {
      this.#process.machine.files.folder(path);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      await frame.stderr.write(`sh: cd: can't cd to ${target}: ${error.message}\n`);
      return 1;
    }
    this.#state.cwd = path;
    return 0;
  }

  async #which(name: string, frame: Frame): Promise<number> {
    const path = name.includes("/") ? name : `/bin/${name}`;
    if (this.#process.machine.files.find(path)?.kind !== "file") return 127;
    await frame.stdout.write(`${path}\n`);
    return 0;
  }

  async #read(name: string, frame: Frame): Promise<number> {
    const source = frame.stdin instanceof LineSource ? frame.stdin : new LineSource(frame.stdin);
    const line = await source.readLine();
    this.#state.variables.set(name, line ?? "");
    return line === undefined ? 1 : 0;
  }

  /** The frame with its redirections; `undefined` after one failed. */
  async #redirect(redirections: readonly Redirection[], frame: Frame): Promise<Frame | undefined> {
    let result = frame;
    for (const { descriptor, kind, target } of redirections) {
      const path = await expandWord(target, this.#expansion(frame));
      const process = { ...this.#process, cwd: this.#state.cwd, ...result };
      try {
        if (kind === ">&") {
          if (descriptor === 2 && path === "1") result = { ...result, stderr: result.stdout };
          else if (descriptor === 1 && path === "2") result = { ...result, stdout: result.stderr };
        } else if (kind === "<") result = { ...result, stdin: openForReading(process, path) };
        else {
          const sink = openForWriting(process, path, kind === ">>");
          result = descriptor === 2 ? { ...result, stderr: sink } : { ...result, stdout: sink };
        }
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
        await frame.stderr.write(`sh: can't open ${path}: ${error.message}\n`);
        this.#state.status = 1;
        return undefined;
      }
    }
    return result;
  }
}
