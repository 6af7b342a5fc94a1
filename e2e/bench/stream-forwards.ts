import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";

import { findAssets } from "@binnacle/control-plane";

import type { ExecScene } from "../exec/exec-scene.ts";
import { kubeconfigOf, type ExecWay } from "./stream-sockets.ts";

const MIB = 1024 * 1024;

/** Sends so much through kubectl's port-forward to an echo, and reads it. @returns MiB in both directions per second */
export async function forwardedMibPerSecond(scene: ExecScene, way: ExecWay, mib: number): Promise<number> {
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
    const beganMs = performance.now();
    // A zero first: an echo, and no HTTP.
    const piece = Buffer.alloc(MIB);
    for (let sent = 0; sent < mib; sent += 1) if (!socket.write(piece)) await once(socket, "drain");
    socket.end();
    await once(socket, "close");
    if (received !== mib * MIB) throw new Error(`${received} bytes of ${mib * MIB} came back ${way}`);
    return (2 * mib) / ((performance.now() - beganMs) / 1_000);
  } finally {
    child.kill("SIGTERM");
    await once(child, "close");
  }
}
