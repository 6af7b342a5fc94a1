import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { findAssets } from "./assets.ts";
import { runScript, type ScriptOptions } from "./run-script.ts";

/** How one control plane is started. Several live side by side: give each its own `dir`. */
export interface ControlPlaneOptions {
  /** State of this cluster: keys, data, logs. Made when absent; objects of an earlier run are dropped. */
  readonly dir: string;
  /** Directory of the programs; default `KUBEBUILDER_ASSETS`. */
  readonly assets?: string;
  /** Writes one JSON line per request: user, impersonated user, verb, URI, code. */
  readonly audit?: boolean;
  /** Fake nodes; default 3. */
  readonly nodes?: number;
  /** Only etcd and the API server: no controllers, no scheduler, no pods. */
  readonly apiServerOnly?: boolean;
  /** Extra flags of the API server. */
  readonly apiServerArgs?: readonly string[];
  /** Start on the objects the last run left in `dir`. */
  readonly keep?: boolean;
  /** `kubectl exec` runs the command on this machine as this user. Off by default. */
  readonly exec?: boolean;
  /** `kubectl port-forward` to any port of any pod reaches this port of 127.0.0.1, unless `kubeletPort` is set. Off by default. */
  readonly forwardPort?: number;
  /** Nodes name this port of 127.0.0.1 as their kubelet's, instead of kwok's: exec, attach, port-forward and logs are served there. */
  readonly kubeletPort?: number;
  readonly signal?: AbortSignal;
  /** Progress, line by line. */
  readonly log?: (line: string) => void;
}

/** A running control plane. Everything of it listens on loopback only. */
export interface ControlPlane {
  /** Kubeconfig file of the administrator (client certificate). */
  readonly kubeconfig: string;
  /** Kubeconfig file of the administrator with a bearer token. */
  readonly tokenKubeconfig: string;
  /** `https://127.0.0.1:port`. */
  readonly server: string;
  /** The authority that signed the server's certificate. */
  readonly caFile: string;
  /** Client certificate of the administrator, and its key. */
  readonly certFile: string;
  readonly keyFile: string;
  /** What a kubelet at `kubeletPort` needs: its own certificate, and the common name of the API server's client certificate. */
  readonly kubelet: { readonly certFile: string; readonly keyFile: string; readonly clientName: string };
  /** JSON lines, when `audit` is on. */
  readonly auditLog?: string;
  /** Process ids by program name. */
  readonly pids: Readonly<Record<string, number>>;
  /** Stops every process; the directory stays. A second call does nothing. */
  stop(): Promise<void>;
}

const SCRIPTS = fileURLToPath(new URL("../scripts", import.meta.url));

/**
 * Starts kube-apiserver, etcd, controller manager, scheduler and kwok (about five seconds). They are stopped by `stop()`,
 * and by a watcher when this process is gone.
 *
 * @throws Fault `configuration_invalid` (programs missing) or `cluster_unavailable` (with the last lines of the log)
 */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const dir = resolve(options.dir);
  const env = { ...environmentOf(options), KUBEBUILDER_ASSETS: findAssets(options.assets), CONTROL_PLANE_RUN: dir };
  const down = (): Promise<string> => runScript([join(SCRIPTS, "down.sh")], { env });
  const run: ScriptOptions = { env, signal: options.signal, log: options.log };
  try {
    await runScript([join(SCRIPTS, "up.sh")], run);
  } catch (error) {
    await down();
    throw error;
  }
  let stopping: Promise<unknown> | undefined;
  return {
    kubeconfig: join(dir, "admin.kubeconfig"),
    tokenKubeconfig: join(dir, "token-admin.kubeconfig"),
    server: serverOf(dir),
    caFile: join(dir, "pki", "ca.crt"),
    certFile: join(dir, "pki", "admin.crt"),
    keyFile: join(dir, "pki", "admin.key"),
    kubelet: {
      certFile: join(dir, "pki", "kubelet.crt"),
      keyFile: join(dir, "pki", "kubelet.key"),
      clientName: "kube-apiserver-kubelet-client",
    },
    ...(options.audit === true ? { auditLog: join(dir, "audit.jsonl") } : {}),
    pids: pidsOf(dir),
    async stop() {
      stopping ??= down();
      await stopping;
    },
  };
}

function environmentOf(options: ControlPlaneOptions): Record<string, string> {
  return {
    CONTROL_PLANE_OWNER: String(process.pid),
    CONTROL_PLANE_NODES: String(options.nodes ?? 3),
    CONTROL_PLANE_PARTS: options.apiServerOnly === true ? "" : "kcm scheduler kwok",
    CONTROL_PLANE_AUDIT: options.audit === true ? "1" : "",
    CONTROL_PLANE_KEEP: options.keep === true ? "1" : "",
    CONTROL_PLANE_KUBELET_PORT: options.kubeletPort === undefined ? "" : String(options.kubeletPort),
    CONTROL_PLANE_EXEC: options.exec === true ? "1" : "",
    CONTROL_PLANE_FORWARD: options.forwardPort === undefined ? "" : String(options.forwardPort),
    CONTROL_PLANE_APISERVER_ARGS: (options.apiServerArgs ?? []).join(" "),
  };
}

function serverOf(dir: string): string {
  const line = readFileSync(join(dir, "bench.env"), "utf8")
    .split("\n")
    .find((text) => text.startsWith("server="));
  if (line === undefined) throw new Error(`${dir}/bench.env does not name the server`);
  return line.slice("server=".length);
}

function pidsOf(dir: string): Record<string, number> {
  const files = readdirSync(join(dir, "pid")).filter((name) => name.endsWith(".pid"));
  return Object.fromEntries(
    files.map((name) => [name.slice(0, -".pid".length), Number.parseInt(readFileSync(join(dir, "pid", name), "utf8"), 10)]),
  );
}
