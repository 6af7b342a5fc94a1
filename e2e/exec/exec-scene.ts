import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findAssets, startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { KubeletServer, serveControlPlane } from "@binnacle/kubelet-stand-in";
import { SERVER_NODE_ENV, SERVER_NODE_FLAGS } from "@binnacle/rpc";
import { KasReplicas, selfSigned, startAgentkProcess, type AgentkProcess, type KasProcess } from "@binnacle/testing";

/** What a run of kubectl left. */
export interface KubectlRun {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** The protocol of kubectl, and the kas that it dials. */
export interface KubectlRoute {
  readonly kas: "near" | "far";
  readonly protocol: "WebSocket" | "SPDY";
}

/** Of a pod whose container ran for a minute, ended with 1 and runs again. */
const SECOND_RUN = {
  containerStatuses: [
    {
      name: "again",
      image: "web",
      imageID: "",
      ready: true,
      started: true,
      restartCount: 1,
      state: { running: { startedAt: "2026-01-01T00:01:01Z" } },
      lastState: { terminated: { exitCode: 1, startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:01:00Z" } },
    },
  ],
};

/**
 * A real control plane with a pod `web` and a pod `again`, whose container has restarted, simulated by the kubelet stand-in, an agentk there, and two
 * kas: the near one has the agent's tunnels, from the far one it is a hop.
 */
export class ExecScene {
  cluster!: ControlPlane;
  kas!: Readonly<Record<KubectlRoute["kas"], KasProcess>>;
  agentk!: AgentkProcess;
  /** Empty at the beginning; files are copied from and to here. */
  readonly directory = mkdtempSync(join(tmpdir(), "exec-"));
  readonly #program: string;
  readonly #closers: (() => Promise<unknown> | void)[] = [() => rmSync(this.directory, { recursive: true })];

  /** @param program which kubectl; absent: that of the control plane */
  constructor(program = join(findAssets(), "kubectl")) {
    this.#program = program;
  }

  async stop(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed()) await close();
  }

  /** Call `stop` also when it fails. */
  async start(): Promise<void> {
    const dir = mkdtempSync(join(tmpdir(), "exec-cluster-"));
    this.#closers.push(() => rmSync(dir, { recursive: true, force: true }));
    const kubelet = await KubeletServer.listen();
    this.#closers.push(() => kubelet.stop());
    this.cluster = await startControlPlane({ dir, nodes: 1, kubeletPort: kubelet.port });
    this.#closers.push(() => this.cluster.stop(), serveControlPlane(kubelet, this.cluster));
    const replicas = await KasReplicas.start();
    this.#closers.push(() => replicas.stop());
    // kubectl shows its token over TLS alone.
    const { certificate, key } = selfSigned(["IP:127.0.0.1"]);
    const [certificateFile, keyFile] = [join(dir, "kas.pem"), join(dir, "kas.key")];
    writeFileSync(certificateFile, certificate);
    writeFileSync(keyFile, key);
    const tls = { certificateFile, keyFile };
    const [near, far] = [await replicas.startKas({ tls }), await replicas.startKas({ tls })];
    this.kas = { near, far };
    for (const [name, { addresses }] of Object.entries(this.kas)) {
      writeFileSync(
        join(this.directory, `${name}.kubeconfig`),
        // JSON is YAML.
        JSON.stringify({
          "current-context": "c",
          contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
          clusters: [{ name: "c", cluster: { server: `https://${addresses.k8sProxy}`, "certificate-authority": certificateFile } }],
          users: [{ name: "u", user: { token: "pat:7:user-1" } }],
        }),
      );
    }
    this.agentk = await startAgentkProcess({
      kasAddress: `grpcs://${near.addresses.agent}`,
      caFile: certificateFile,
      token: "glagent-7",
      server: this.cluster.server,
      flags: ["--kubeconfig", this.cluster.kubeconfig],
      // As it is shipped, and as kas is started here: benchmarks measure it.
      nodeFlags: SERVER_NODE_FLAGS,
      env: SERVER_NODE_ENV,
    });
    this.#closers.push(() => this.agentk.stop());
    const route: KubectlRoute = { kas: "far", protocol: "WebSocket" };
    for (const args of [
      ["run", "web", "--image=web", "--port=80", "--restart=Never"],
      ["run", "again", "--image=web"],
      ["wait", "--for=condition=Ready", "pod/web", "pod/again", "--timeout=60s"],
      ["patch", "pod", "again", "--subresource=status", "--type=merge", "--patch", JSON.stringify({ status: SECOND_RUN })],
    ]) {
      const { code, stderr } = await this.kubectl(route, args);
      if (code !== 0) throw new Error(`kubectl ${args.join(" ")} ended with ${code}: ${stderr}\n${this.agentk.program.output}`);
    }
  }

  /** Starts kubectl. @param terminal the size of one that it gets; absent: pipes */
  spawn(
    { kas, protocol }: KubectlRoute,
    args: readonly string[],
    terminal?: { readonly rows: number; readonly columns: number },
  ): ChildProcessWithoutNullStreams {
    const kubectl = [this.#program, "--kubeconfig", join(this.directory, `${kas}.kubeconfig`), ...args];
    const line = kubectl.map((arg) => `'${arg}'`).join(" ");
    const [program = "", ...rest] = terminal
      ? ["script", "-qefc", `stty rows ${terminal.rows} columns ${terminal.columns}; exec ${line}`]
      : kubectl;
    const isOn = String(protocol === "WebSocket");
    const env = { ...process.env, KUBECTL_REMOTE_COMMAND_WEBSOCKETS: isOn, KUBECTL_PORT_FORWARD_WEBSOCKETS: isOn };
    return spawn(program, rest, { env, cwd: this.directory });
  }

  /** Runs it to its end. */
  kubectl(route: KubectlRoute, args: readonly string[], input: string | Buffer = ""): Promise<KubectlRun> {
    return ended(this.spawn(route, args), input);
  }
}

/** What a program prints until it ends. @param input for its standard input, which is closed behind it */
function ended(child: ChildProcessWithoutNullStreams, input: string | Buffer = ""): Promise<KubectlRun> {
  return new Promise((resolve, reject) => {
    const stdout: Buffer[] = [];
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => void stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => void (stderr += chunk.toString()));
    child.stdin.on("error", () => {});
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, stdout: Buffer.concat(stdout), stderr }));
    child.stdin.end(input);
  });
}
