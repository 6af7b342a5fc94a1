import { join } from "node:path";

import { readKubeconfig } from "../cluster/kubeconfig-file.ts";
import { requestAgentToken } from "../cluster/agent-credentials.ts";
import { KubeHttp } from "../cluster/kube-http.ts";
import { ManifestApplier } from "../cluster/manifest-applier.ts";
import { readManifests } from "../cluster/manifest.ts";
import { DEMO_DIR } from "./demo-repository.ts";

/** What is there before the agent; production comes by the agent itself (`production.ts`). */
const FOLDERS = ["cluster", "staging"];

/** Where the demo world is made. */
export interface DemoWorldOptions {
  /** Kubeconfig file of an administrator. */
  readonly kubeconfig: string;
  readonly signal: AbortSignal;
}

/**
 * Applies the demo's manifests.
 *
 * @returns a token of agentk's ServiceAccount
 * @throws Fault `cluster_unavailable`
 */
export async function makeDemoWorld(options: DemoWorldOptions): Promise<string> {
  const http = new KubeHttp(readKubeconfig(options.kubeconfig));
  try {
    const applier = new ManifestApplier(http, options.signal);
    for (const folder of FOLDERS) {
      await applier.apply(readManifests(join(DEMO_DIR, "manifests", folder), new Date()));
    }
    return await requestAgentToken(http, { namespace: "gitlab-agent", name: "agentk" });
  } finally {
    await http.close();
  }
}
