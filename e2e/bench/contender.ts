/** A process of its own that holds all pods in one way, and prints what that took as JSON. Started by contenders.ts with --expose-gc. */
import { readFileSync } from "node:fs";

import { BENCH_PODS } from "./bench-pods.ts";
import { CONTENDERS, type ContenderTarget } from "./contender-ways.ts";
import { cpuMsOf, peakMemoryMibOf } from "./process-cpu.ts";

/** What one contender took. */
export interface ContenderResult {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** On the heap and beside it for each pod, after garbage collection. */
  readonly bytesPerPod: number;
  readonly peakMib: number;
}

async function heldBytes(): Promise<number> {
  for (let turn = 0; turn < 4; turn += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function run(): Promise<void> {
  const [, , way = "", target = ""] = process.argv;
  const prepare = CONTENDERS.get(way);
  if (!prepare || !globalThis.gc) throw new Error("contender WAY TARGET-FILE, with --expose-gc");
  // Written by contenders.ts.
  const contender = await prepare(JSON.parse(readFileSync(target, "utf8")) as ContenderTarget);
  const before = await heldBytes();
  const cpuBefore = cpuMsOf(process.pid);
  const started = performance.now();
  await contender.fill();
  const wallMs = performance.now() - started;
  const cpuMs = cpuMsOf(process.pid) - cpuBefore;
  const peakMib = peakMemoryMibOf(process.pid);
  const held = await heldBytes();
  if (contender.count() !== BENCH_PODS) throw new Error(`${way} holds ${contender.count()} pods`);
  const result: ContenderResult = { wallMs, cpuMs, bytesPerPod: (held - before) / BENCH_PODS, peakMib };
  process.stdout.write(`${JSON.stringify(result)}\n`);
  process.exit(0);
}

await run();
