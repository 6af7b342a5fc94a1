import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";

/** Waits for the sandbox to be gone; while the list of processes is still there it was killed, and they must go too. */
const WATCH = `while kill -0 "$1" 2>/dev/null; do sleep 1; [ -f "$2" ] || exit 0; done
[ -f "$2" ] && for pid in $(cat "$2"); do kill -TERM "$pid" 2>/dev/null; done; rm -f "$2" "$3"`;

/** Ends the sandbox's processes when the sandbox itself is killed and cannot. */
export class OrphanGuard {
  readonly #file: string;
  readonly #pids = new Map<string, number>();

  /**
   * @param file list of process ids, kept up to date
   * @param leftover removed after the processes were ended
   */
  constructor(file: string, leftover: string) {
    this.#file = file;
    this.#write();
    const child = spawn("sh", ["-c", WATCH, "guard", String(process.pid), file, leftover], { stdio: "ignore", detached: true });
    child.once("error", () => {});
    child.unref();
  }

  /** Notes the process that runs under a name; `undefined` when none does. */
  note(name: string, pid: number | undefined): void {
    if (pid === undefined) this.#pids.delete(name);
    else this.#pids.set(name, pid);
    this.#write();
  }

  /** Everything was stopped: the guard ends. */
  release(): void {
    rmSync(this.#file, { force: true });
  }

  #write(): void {
    writeFileSync(this.#file, `${[...this.#pids.values()].join("\n")}\n`);
  }
}
