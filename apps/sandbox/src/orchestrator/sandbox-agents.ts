import { demoAgents, type DemoAgent } from "../demo/demo-agents.ts";
import { waitUntilDeployed } from "../demo/deployed.ts";
import type { ConnectedAgents } from "../main-application/connected-agents.ts";
import type { World } from "../main-application/world.ts";
import type { AgentSetting } from "./sandbox-programs.ts";
import type { SandboxCluster } from "./sandbox-cluster.ts";
import { waitUntil } from "./wait-until.ts";

/** As the options of the demo's agent have it. */
const PROMETHEUS = "monitoring/prometheus";
const CONNECT_MS = 60_000;

/** Where agents are waited for. */
export interface AgentsReadyOptions {
  readonly world: World;
  readonly connectedAgents: ConnectedAgents;
  readonly cluster: SandboxCluster;
  /** Whose environments are waited for too. */
  readonly deploying: readonly DemoAgent[];
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** What the agentk of each agent of the demo is started with; others of the world have none. @param prometheusPort of the one that the first of them reaches */
export function agentSettings({ agents }: World, { agentkFlags }: SandboxCluster, prometheusPort?: number): readonly AgentSetting[] {
  const known = demoAgents(agents.length);
  return agents.flatMap(({ id, token }, index) => {
    const processName = known.find((each) => each.id === id)?.processName;
    if (processName === undefined) return [];
    const reached = prometheusPort !== undefined && index === 0 ? ["--service-endpoint", `${PROMETHEUS}=127.0.0.1:${prometheusPort}`] : [];
    return [{ processName, token, flags: [...(agentkFlags[index] ?? []), ...reached] }];
  });
}

/**
 * Waits until kas knows every agent of the demo and its configuration, and what they deploy is there.
 *
 * @throws Fault that says for what it has waited in vain
 */
export async function agentsReady({ world, connectedAgents, cluster, deploying, signal, say }: AgentsReadyOptions): Promise<void> {
  const within = (what: string) => ({ what, timeoutMs: CONNECT_MS, signal });
  await Promise.all(
    demoAgents(world.agents.length).map(async ({ id, name }) => {
      const isConnected = async () => ((await connectedAgents.connectedAt(id)).length > 0 ? true : undefined);
      await waitUntil(isConnected, within(`kas says that agent ${name} is connected`));
      await waitUntil(async () => world.configuration(id), within(`kas has read the configuration of agent ${name}`));
    }),
  );
  await Promise.all(deploying.map((agent) => waitUntilDeployed(agent, { kubeconfig: cluster.kubeconfig, signal, say })));
}
