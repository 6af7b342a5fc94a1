import { readFileSync } from "node:fs";
import { join } from "node:path";

import { Agent, WebSocket } from "undici";
import { parse } from "yaml";

import type { ExecScene } from "../exec/exec-scene.ts";

/** To the API server, to the kas with the agent's tunnels, or to another one. */
export type ExecWay = "direct" | "near" | "far";

const STDOUT = 1;
const ECHO_MS = 30_000;

/** A program in the pod `web` over `v5.channel.k8s.io`. */
export class ExecSocket {
  readonly #socket: WebSocket;
  #text = "";
  #changed: () => void = () => undefined;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.binaryType = "arraybuffer";
    socket.addEventListener("message", ({ data }) => {
      if (!(data instanceof ArrayBuffer)) return;
      const bytes = Buffer.from(data);
      if (bytes[0] === STDOUT) this.#text += bytes.toString("utf8", 1);
      this.#changed();
    });
  }

  /** Sends a text, and waits until it, or what fits, has come back. @throws after 30 s */
  async echo(text: string, fits?: RegExp): Promise<void> {
    this.#text = "";
    this.#socket.send(Buffer.concat([Buffer.from([0]), Buffer.from(text)]));
    const hasCome = (): boolean => (fits === undefined ? this.#text.length >= text.length : fits.test(this.#text));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no echo in time: ${JSON.stringify(this.#text.slice(-200))}`)), ECHO_MS);
    });
    try {
      while (!hasCome()) await Promise.race([late, new Promise<void>((resolve) => (this.#changed = resolve))]);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#socket.close();
  }
}

/** Starts a program. @throws when it is refused */
export async function execOf(
  scene: ExecScene,
  way: ExecWay,
  { command, tty }: { readonly command: readonly string[]; readonly tty: boolean },
): Promise<ExecSocket> {
  const { server, ca, token } = targetOf(scene, way);
  const query = new URLSearchParams({ stdin: "true", stdout: "true", tty: String(tty) });
  for (const argument of command) query.append("command", argument);
  const socket = new WebSocket(`${server.replace(/^http/, "ws")}/api/v1/namespaces/default/pods/web/exec?${query}`, {
    protocols: ["v5.channel.k8s.io"],
    headers: { authorization: `Bearer ${token}` },
    dispatcher: new Agent({ connect: { ca } }),
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error(`exec ${way} was refused`)));
  });
  return new ExecSocket(socket);
}

/** The kubeconfig of a way. */
export function kubeconfigOf(scene: ExecScene, way: ExecWay): string {
  return way === "direct" ? scene.cluster.tokenKubeconfig : join(scene.directory, `${way}.kubeconfig`);
}

function targetOf(scene: ExecScene, way: ExecWay): { readonly server: string; readonly ca: string; readonly token: string } {
  // It is of the control plane, or of the scene.
  const config = parse(readFileSync(kubeconfigOf(scene, way), "utf8")) as {
    readonly clusters: readonly { readonly cluster: { readonly server: string; readonly "certificate-authority"?: string } }[];
    readonly users: readonly { readonly user: { readonly token: string } }[];
  };
  const { server = "", "certificate-authority": file = scene.cluster.caFile } = config.clusters[0]?.cluster ?? {};
  return { server, ca: readFileSync(file, "utf8"), token: config.users[0]?.user.token ?? "" };
}
