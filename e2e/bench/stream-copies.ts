import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import { findAssets } from "@binnacle/control-plane";

import type { ExecScene } from "../exec/exec-scene.ts";
import type { Figure } from "./goals.ts";
import { memoryMibOf } from "./process-cpu.ts";
import { kubeconfigOf } from "./stream-sockets.ts";

const MIB = 1024 * 1024;
const SAMPLE_MS = 100;
/** Beyond what a process had before: buffers of the tunnel and of the garbage collector, whatever is copied. */
const FLAT_MIB = 64;

/** Copies so much out of a container, then into it, by kubectl through two kas; the memory of each process is sampled every 100 ms. */
export async function measureCopies(scene: ExecScene, mib: number): Promise<readonly Figure[]> {
  const pids = { "near kas": scene.kas.near.program.pid, "far kas": scene.kas.far.program.pid, agentk: scene.agentk.program.pid };
  const before = Object.values(pids).map(memoryMibOf);
  const peaks = [...before];
  const sampler = setInterval(() => {
    for (const [index, pid] of Object.values(pids).entries()) peaks[index] = Math.max(peaks[index] ?? 0, memoryMibOf(pid));
  }, SAMPLE_MS);
  try {
    const out = await rateOf(scene, ["exec", "web", "--", "head", "-c", String(mib * MIB), "/dev/zero"], { sent: 0, received: mib });
    const inward = await rateOf(scene, ["exec", "-i", "web", "--", "sh", "-c", "cat > /dev/null"], { sent: mib, received: 0 });
    return [
      { figure: "out", value: out, unit: "MiB/s" },
      { figure: "in", value: inward, unit: "MiB/s" },
      ...Object.keys(pids).map((name, index): Figure => {
        return { figure: `${name}: peak over before`, value: (peaks[index] ?? 0) - (before[index] ?? 0), unit: "MiB", goal: FLAT_MIB };
      }),
    ];
  } finally {
    clearInterval(sampler);
  }
}

/** @throws when kubectl fails, or other bytes come */
async function rateOf(
  scene: ExecScene,
  args: readonly string[],
  { sent, received }: { readonly sent: number; readonly received: number },
): Promise<number> {
  const beganMs = performance.now();
  const child = spawn(join(findAssets(), "kubectl"), ["--kubeconfig", kubeconfigOf(scene, "far"), ...args]);
  const over = once(child, "close");
  let bytes = 0;
  child.stdout.on("data", (chunk: Buffer) => void (bytes += chunk.length));
  let complaints = "";
  child.stderr.on("data", (chunk: Buffer) => void (complaints += chunk.toString()));
  const piece = Buffer.alloc(MIB);
  for (let count = 0; count < sent; count += 1) if (!child.stdin.write(piece)) await once(child.stdin, "drain");
  child.stdin.end();
  const [code] = await over;
  if (code !== 0 || bytes !== received * MIB) throw new Error(`kubectl ended with ${code} after ${bytes} bytes: ${complaints}`);
  return (sent + received) / ((performance.now() - beganMs) / 1_000);
}
