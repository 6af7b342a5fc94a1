import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

import type { ReadmeExample } from "./readme-example.ts";

/** An example and the package whose README it is in. */
export interface PackageExample {
  /** Directory of the package. */
  readonly directory: string;
  readonly example: ReadmeExample;
}

/** How a child process ended. `code` is null when it had to be killed. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Ignored by git and by every tool, and, unlike node_modules, a place where Node strips types. */
const SCRATCH = ".turbo";

/**
 * Examples as files inside their packages, so that imports resolve as they do for the package itself. Removed by `remove`.
 */
export class ExampleFiles {
  readonly #root: string;
  readonly #files = new Map<PackageExample, string>();
  readonly #directories: string[] = [];

  /** @param root root of the repository, whose tsconfig.base.json and node_modules are used */
  constructor(root: string, examples: readonly PackageExample[]) {
    this.#root = root;
    for (const each of examples) {
      const file = join(this.#scratch(each.directory), "example.ts");
      writeFileSync(file, each.example.code);
      this.#files.set(each, file);
    }
  }

  /** Type-checks all of them in one run, as strictly as our own sources. */
  check(): Promise<Ended> {
    const directory = this.#scratch(this.#root);
    const config = { extends: relative(directory, join(this.#root, "tsconfig.base.json")), files: [...this.#files.values()] };
    writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(config));
    return ended(join(this.#root, "node_modules", ".bin", "tsc"), ["-p", directory], { cwd: this.#root, timeoutMs: 60_000 });
  }

  /** Runs one with the Node that runs us; one that does not end is killed. */
  run(each: PackageExample, timeoutMs: number): Promise<Ended> {
    return ended(process.execPath, [this.#files.get(each) ?? ""], { cwd: each.directory, timeoutMs });
  }

  /** Takes everything away that was written. */
  remove(): void {
    for (const directory of this.#directories) rmSync(directory, { recursive: true, force: true });
  }

  #scratch(parent: string): string {
    mkdirSync(join(parent, SCRATCH), { recursive: true });
    const directory = mkdtempSync(join(parent, SCRATCH, "readme-"));
    this.#directories.push(directory);
    return directory;
  }
}

function ended(command: string, args: readonly string[], { cwd, timeoutMs }: { cwd: string; timeoutMs: number }): Promise<Ended> {
  return new Promise((resolve) => {
    // Not the environment of the test runner, which changes what Node and the packages do.
    const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", NO_COLOR: "1" };
    const child = execFile(command, [...args], { cwd, timeout: timeoutMs, killSignal: "SIGKILL", env }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr });
    });
  });
}
