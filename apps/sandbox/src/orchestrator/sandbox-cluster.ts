import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { startControlPlane } from "@binnacle/control-plane";
import { KubeletServer, serveControlPlane } from "@binnacle/kubelet-stand-in";
import { kubeconfigText } from "@binnacle/kube-sandbox";
import { Fault } from "@binnacle/rpc";

import { readKubeconfig } from "../cluster/kubeconfig-file.ts";
import { demoAgents } from "../demo/demo-agents.ts";
import { makeDemoWorld } from "../demo/demo-world.ts";
import type { Flags } from "../flags.ts";
import type { FreePorts } from "./free-port.ts";
import { ManagedProcess } from "./managed-process.ts";
import { ENTRY_POINTS, nodeCommand } from "./entry-points.ts";
import type { OrphanGuard } from "./orphan-guard.ts";
import type { SandboxDirectory } from "./sandbox-directory.ts";

/** The cluster that all agents serve. */
export interface SandboxCluster {
  /** Kubeconfig file that leads there directly. */
  readonly kubeconfig: string;
  /** What each agentk is started with. */
  readonly agentkFlags: readonly (readonly string[])[];
  readonly auditLog?: string;
  readonly pids: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/** What is needed to start a cluster. */
export interface ClusterSetting {
  readonly flags: Flags;
  readonly directory: SandboxDirectory;
  readonly ports: FreePorts;
  readonly guard: OrphanGuard;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Starts the cluster that the flags name and creates the demo world in it; a foreign one is only referred to. */
export async function openCluster(setting: ClusterSetting): Promise<SandboxCluster> {
  const { flags, directory } = setting;
  if (flags.kubeconfig !== undefined) return foreignCluster(resolve(flags.kubeconfig), flags.context);
  const cluster = flags.cluster === "real" ? await realCluster(setting) : await embeddedCluster(setting);
  try {
    setting.say("making the demo world");
    const agents = demoAgents(flags.agents);
    const { manifestProjects } = flags;
    const tokens = await makeDemoWorld({ kubeconfig: cluster.kubeconfig, agents, manifestProjects, signal: setting.signal });
    const { server, ca } = readKubeconfig(cluster.kubeconfig);
    const caFile = ca ? directory.write("secrets/cluster-ca.crt", ca.toString("utf8")) : undefined;
    const agentkFlags = agents.map(({ processName: name }, index) => {
      const text = kubeconfigText({ name, server, token: tokens[index] ?? "", caFile });
      return ["--kubeconfig", directory.write(`kubeconfig/${name}.yaml`, text)];
    });
    return { ...cluster, agentkFlags };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

function foreignCluster(kubeconfig: string, context: string | undefined): SandboxCluster {
  try {
    readFileSync(kubeconfig);
  } catch (error) {
    throw new Fault("configuration_invalid", `--kubeconfig ${kubeconfig} cannot be read`, { cause: error });
  }
  return {
    kubeconfig,
    agentkFlags: [["--kubeconfig", kubeconfig, ...(context === undefined ? [] : ["--context", context])]],
    pids: {},
    stop: async () => {},
  };
}

async function realCluster({ flags, directory, signal, say }: ClusterSetting): Promise<Omit<SandboxCluster, "agentkFlags">> {
  say("starting a real control plane");
  const kubelet = await KubeletServer.listen();
  const starting = startControlPlane({
    dir: directory.file("cluster"),
    audit: flags.audit,
    kubeletPort: kubelet.port,
    signal,
    log: (line) => say(`cluster: ${line}`),
  });
  starting.catch(() => kubelet.stop());
  const plane = await starting;
  const closeKubelet = serveControlPlane(kubelet, plane);
  return {
    kubeconfig: plane.kubeconfig,
    pids: plane.pids,
    ...(plane.auditLog === undefined ? {} : { auditLog: plane.auditLog }),
    async stop() {
      closeKubelet();
      await plane.stop();
      await kubelet.stop();
    },
  };
}

async function embeddedCluster({
  flags,
  directory,
  ports,
  guard,
  signal,
  say,
}: ClusterSetting): Promise<Omit<SandboxCluster, "agentkFlags">> {
  say("starting the embedded cluster");
  const readyFile = directory.file("run", "cluster.json");
  const auditLog = directory.file("log", "audit.jsonl");
  const child = new ManagedProcess({
    name: "cluster",
    command: nodeCommand(ENTRY_POINTS.cluster, [
      "--dir",
      directory.file("cluster"),
      "--port",
      String(await ports.take()),
      ...(flags.audit ? ["--audit-log", auditLog] : []),
      "--ready-file",
      readyFile,
    ]),
    logFile: directory.file("log", "cluster.log"),
    readyFile,
    restartMs: undefined,
    say,
    onChange: (pid) => guard.note("cluster", pid),
  });
  try {
    await child.start(signal);
    const ready: unknown = JSON.parse(readFileSync(readyFile, "utf8"));
    const kubeconfig: unknown = typeof ready === "object" && ready !== null ? Reflect.get(ready, "kubeconfig") : undefined;
    if (typeof kubeconfig !== "string") throw new Fault("internal", "the embedded cluster named no kubeconfig");
    return { kubeconfig, ...(flags.audit ? { auditLog } : {}), pids: { cluster: child.pid ?? 0 }, stop: () => child.stop() };
  } catch (error) {
    await child.stop();
    throw error;
  }
}
