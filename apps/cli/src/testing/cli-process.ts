import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { until } from "@binnacle/testing";

import { bundleCli } from "../../dev/bundle-cli.ts";

const FOLDER = mkdtempSync(join(tmpdir(), "binnacle-cli-bundle-"));
process.on("exit", () => rmSync(FOLDER, { recursive: true, force: true }));

/** The program in one file, as it is published. */
export const BUNDLE = join(FOLDER, "binnacle.js");
await bundleCli(BUNDLE);

/** What is started. */
export interface CliProcessOptions {
  /** Absent: nothing is configured. */
  readonly url?: string | undefined;
  readonly token?: string;
  /** Folder that is HOME. */
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The program as a process of its own, with pipes instead of a terminal. */
export class CliProcess {
  output = "";
  notes = "";
  /** Settles with the exit code, or the name of the signal that ended it. */
  readonly exited: Promise<number | string>;
  readonly child: ChildProcessWithoutNullStreams;

  constructor(args: readonly string[], { url, token = "glpat-ann", home, env = {} }: CliProcessOptions) {
    const settings = url === undefined ? {} : { BINNACLE_URL: url, BINNACLE_TOKEN: token, BINNACLE_PROJECT: "group/app" };
    this.child = spawn(process.execPath, [BUNDLE, ...args], {
      env: { PATH: process.env["PATH"] ?? "", HOME: home, TZ: "UTC", ...settings, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.child.stdout.on("data", (chunk: Buffer) => (this.output += chunk.toString()));
    this.child.stderr.on("data", (chunk: Buffer) => (this.notes += chunk.toString()));
    // Of a program that does not read its input.
    this.child.stdin.on("error", () => undefined);
    this.exited = new Promise((resolve) => this.child.once("close", (code, signal) => resolve(code ?? signal ?? "lost")));
  }

  /** Settles when this stands on standard error. */
  async noted(text: string): Promise<void> {
    await until(
      () => this.notes.includes(text),
      () => [this.notes, this.output],
    );
  }
}

/** A folder that is HOME of programs, and goes with the test. */
export function temporaryHome(): { readonly path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "binnacle-cli-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
