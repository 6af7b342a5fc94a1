import { join } from "node:path";

import { readKubeconfig } from "../cluster/kubeconfig-file.ts";
import { requestAgentToken } from "../cluster/agent-credentials.ts";
import { KubeHttp } from "../cluster/kube-http.ts";
import { ManifestApplier } from "../cluster/manifest-applier.ts";
import { readManifests } from "../cluster/manifest.ts";
import { settle } from "../cluster/settle.ts";
import { DEMO_DIR } from "./demo-repository.ts";

const FOLDERS = ["cluster", "production", "staging"];
const SETTLE_MS = 90_000;

/** Where the demo world is made. */
export interface DemoWorldOptions {
  /** Kubeconfig file of an administrator. */
  readonly kubeconfig: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/**
 * Applies the demo's manifests and waits until production is well.
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
    const waiting = await settle(http, { namespace: "production", timeoutMs: SETTLE_MS, signal: options.signal });
    if (waiting.length > 0) options.say(`production is not well yet: ${waiting.join(", ")}`);
    return await requestAgentToken(http, { namespace: "gitlab-agent", name: "agentk" });
  } finally {
    await http.close();
  }
}
