import { join } from "node:path";

import { readKubeconfig } from "../cluster/kubeconfig-file.ts";
import { requestAgentToken } from "../cluster/agent-credentials.ts";
import { KubeHttp } from "../cluster/kube-http.ts";
import { ManifestApplier } from "../cluster/manifest-applier.ts";
import { readManifests } from "../cluster/manifest.ts";
import type { DemoAgent } from "./demo-agents.ts";
import { manifestsFor, projectEnvironments } from "./project-environments.ts";

/** Where the demo world is made. */
export interface DemoWorldOptions {
  /** Kubeconfig file of an administrator. */
  readonly kubeconfig: string;
  /** Whose world it is. */
  readonly agents: readonly DemoAgent[];
  /** Names of further environments, each deployed from a project of its own. Default: none. */
  readonly manifestProjects?: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Applies what is there before the agents; what they deploy comes by themselves (`deployed.ts`).
 *
 * @returns a token of each agentk's ServiceAccount
 * @throws Fault `cluster_unavailable`
 */
export async function makeDemoWorld({ kubeconfig, agents, manifestProjects = [], signal }: DemoWorldOptions): Promise<readonly string[]> {
  const http = new KubeHttp(readKubeconfig(kubeconfig));
  try {
    const applier = new ManifestApplier(http, signal);
    for (const { files, appliedBefore } of agents) {
      for (const directory of appliedBefore) await applier.apply(readManifests(join(files, directory), new Date()));
    }
    for (const each of projectEnvironments(manifestProjects)) await applier.apply(manifestsFor(each));
    return await Promise.all(agents.map(({ serviceAccount: name }) => requestAgentToken(http, { namespace: "gitlab-agent", name })));
  } finally {
    await http.close();
  }
}
