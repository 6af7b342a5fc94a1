import { childrenOf } from "../support/process-control.ts";

const SIGNALS = { SIGTERM: 15, SIGINT: 2, SIGHUP: 1 } as const;
const POLL_MS = 50;
/** A sandbox ends its programs in ten seconds each at most, several at a time. */
const GRACE_MS = 40_000;

/**
 * From now on a signal that ends this process first ends what it has started: SIGTERM to each child, so that a sandbox ends its own, and SIGKILL to whatever
 * of them is left after 40 s. The exit code is 128 and the number of the signal, as a shell's.
 */
export function endChildrenWithSignal(): void {
  let isEnding = false;
  for (const [name, number] of Object.entries(SIGNALS)) {
    process.on(name, () => {
      if (isEnding) return;
      isEnding = true;
      // What the interrupted work fails with now is of no interest.
      process.on("uncaughtException", () => undefined);
      process.on("unhandledRejection", () => undefined);
      void endChildren().finally(() => process.exit(128 + number));
    });
  }
}

async function endChildren(): Promise<void> {
  const signalled = new Set<number>();
  const all = new Set<number>();
  const deadline = Date.now() + GRACE_MS;
  // The interrupted work may start another one.
  for (let pids = childrenOf(process.pid); pids.length > 0 && Date.now() < deadline; pids = childrenOf(process.pid)) {
    for (const pid of pids) {
      for (const descendant of descendantsOf(pid)) all.add(descendant);
      if (signalled.has(pid)) continue;
      signalled.add(pid);
      signal(pid, "SIGTERM");
      // One that is halted takes no signal before it goes on.
      signal(pid, "SIGCONT");
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  // Only those that still descend from this process: a pid of one that has ended may be another process's.
  for (const pid of childrenOf(process.pid).flatMap(descendantsOf)) if (all.has(pid)) signal(pid, "SIGKILL");
}

function descendantsOf(pid: number): readonly number[] {
  return [pid, ...childrenOf(pid).flatMap(descendantsOf)];
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}
