import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { Fault } from "@binnacle/rpc";

/** The directory of one sandbox: one running sandbox at a time. */
export class SandboxDirectory {
  readonly path: string;

  /**
   * Takes the directory; what an earlier run left is removed, but for what `keepSecret` kept.
   *
   * @throws Fault `conflict` when a running sandbox has it
   */
  constructor(path: string) {
    this.path = resolve(path);
    mkdirSync(this.path, { recursive: true });
    chmodSync(this.path, 0o700);
    takeLock(this.#lock);
    for (const name of ["endpoints.json", "git", "log", "run", "secrets", "kubeconfig", "tls"])
      rmSync(join(this.path, name), { recursive: true, force: true });
    for (const name of ["git", "log", "run", "secrets", "kubeconfig", "tls"]) mkdirSync(join(this.path, name));
  }

  /** Absolute path of a file of the sandbox. */
  file(...names: readonly string[]): string {
    return join(this.path, ...names);
  }

  /** Writes a file that only this user can read, and gives its absolute path. */
  write(name: string, text: string): string {
    writeFileSync(this.file(name), text, { mode: 0o600 });
    return this.file(name);
  }

  /** A new secret of 32 bytes as a base64 text file. */
  createSecret(name: string): { readonly file: string; readonly bytes: Uint8Array } {
    const bytes = randomBytes(32);
    return { file: this.write(join("secrets", name), `${bytes.toString("base64")}\n`), bytes };
  }

  /** A secret of 32 bytes as a base64 text file that later runs find again, as nothing else of an earlier run. */
  keepSecret(name: string): string {
    const file = this.file(name);
    if (!existsSync(file)) return this.write(name, `${randomBytes(32).toString("base64")}\n`);
    chmodSync(file, 0o600);
    return file;
  }

  /** Gives the directory up. */
  release(): void {
    rmSync(this.#lock, { force: true });
  }

  get #lock(): string {
    return join(this.path, "sandbox.pid");
  }
}

function takeLock(file: string): void {
  if (existsSync(file)) {
    const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
    if (isAlive(pid))
      throw new Fault(
        "conflict",
        `another sandbox (process ${pid}) keeps its files there: stop it, or choose another directory with --dir`,
      );
    rmSync(file, { force: true });
  }
  writeFileSync(file, String(process.pid), { flag: "wx" });
}

function isAlive(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch {
    return false;
  }
}
