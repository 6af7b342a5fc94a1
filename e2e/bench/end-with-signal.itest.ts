import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

import { afterEach, expect, test } from "vitest";

import { childrenOf } from "../support/process-control.ts";

const MODULE = pathToFileURL(join(import.meta.dirname, "end-with-signal.ts")).href;
let bench: ChildProcess | undefined;
afterEach(() => bench?.kill("SIGKILL"));

/** A benchmark that has started a shell with a child of its own, and waits. @returns pids of the shell and its child */
async function startBench(shell: string): Promise<readonly number[]> {
  const program = `
    import { spawn } from "node:child_process";
    import { once } from "node:events";
    import { endChildrenWithSignal } from ${JSON.stringify(MODULE)};
    endChildrenWithSignal();
    const child = spawn("sh", ["-c", ${JSON.stringify(shell)}], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    console.log("ready");
    await once(child, "exit");
    throw new Error("the part failed");
  `;
  bench = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: ["ignore", "pipe", "inherit"] });
  if (bench.stdout === null || bench.pid === undefined) throw new Error("it did not start");
  await once(bench.stdout, "data");
  const [child = 0] = childrenOf(bench.pid);
  return [child, ...childrenOf(child)];
}

test.each([
  ["SIGTERM", 143],
  ["SIGINT", 130],
  ["SIGHUP", 129],
] as const)("%s ends what the benchmark has started, and then the benchmark with %i", async (signal, code) => {
  const pids = await startBench('sleep 600 & pid=$!; trap "kill $pid; wait; exit" TERM; echo ready; wait');
  expect(pids).toHaveLength(2);
  bench?.kill(signal);
  const [ended] = bench ? await once(bench, "exit") : [];
  expect(ended).toBe(code);
  expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
});
