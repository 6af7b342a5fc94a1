import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";

import { findAssets } from "@binnacle/control-plane";

import type { ExecScene } from "../exec/exec-scene.ts";
import { cpuMsOf } from "./process-cpu.ts";
import { kubeconfigOf, type ExecWay } from "./stream-sockets.ts";

const MIB = 1024 * 1024;

/** What one transfer took. */
export interface Forwarded {
  /** Both directions together. */
  readonly mibPerSecond: number;
  /** CPU time of each process per MiB of both directions together, in milliseconds. */
  readonly cpuMsPerMib: Readonly<Record<string, number>>;
}

/** Sends so many MiB through kubectl's port-forward to an echo, and reads them. */
export async function forward(scene: ExecScene, way: ExecWay, mib: number): Promise<Forwarded> {
  const args = ["--kubeconfig", kubeconfigOf(scene, way), "port-forward", "pod/web", ":80"];
  const child = spawn(join(findAssets(), "kubectl"), args, { env: { ...process.env, KUBECTL_PORT_FORWARD_WEBSOCKETS: "true" } });
  try {
    const port = await new Promise<number>((resolve, reject) => {
      let output = "";
      const collect = (chunk: Buffer): void => {
        output += chunk.toString();
        const found = /127\.0\.0\.1:(\d+) ->/.exec(output)?.[1];
        if (found !== undefined) resolve(Number(found));
      };
      child.stdout.on("data", collect);
      child.stderr.on("data", collect);
      child.once("exit", () => reject(new Error(`kubectl port-forward ended: ${output}`)));
    });
    const socket = connect(port, "127.0.0.1");
    let received = 0;
    socket.on("data", (chunk: Buffer) => void (received += chunk.length));
    const pids: Readonly<Record<string, number>> = {
      kubectl: child.pid ?? 0,
      "API server": scene.cluster.pids["kube-apiserver"] ?? 0,
      "near kas": scene.kas.near.program.pid,
      "far kas": scene.kas.far.program.pid,
      agentk: scene.agentk.program.pid,
      "kubelet stand-in, client": process.pid,
    };
    const cpuMs = (): number[] => Object.values(pids).map(cpuMsOf);
    const before = cpuMs();
    const beganMs = performance.now();
    // A zero first: an echo, and no HTTP.
    const piece = Buffer.alloc(MIB);
    for (let sent = 0; sent < mib; sent += 1) if (!socket.write(piece)) await once(socket, "drain");
    socket.end();
    await once(socket, "close");
    if (received !== mib * MIB) throw new Error(`${received} bytes of ${mib * MIB} came back ${way}`);
    const mibPerSecond = (2 * mib) / ((performance.now() - beganMs) / 1_000);
    const used = cpuMs().map((ms, index) => (ms - (before[index] ?? 0)) / (2 * mib));
    return { mibPerSecond, cpuMsPerMib: Object.fromEntries(Object.keys(pids).map((name, index) => [name, used[index] ?? 0])) };
  } finally {
    child.kill("SIGTERM");
    await once(child, "close");
  }
}
