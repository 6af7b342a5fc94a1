import { join } from "node:path";

import { Backoff, sleep, systemClock } from "@binnacle/rpc";

import { readKubeconfig } from "../cluster/kubeconfig-file.ts";
import { KubeHttp } from "../cluster/kube-http.ts";
import { ManifestApplier } from "../cluster/manifest-applier.ts";
import { readManifests, type Manifest } from "../cluster/manifest.ts";
import { settle } from "../cluster/settle.ts";
import type { DemoAgent } from "./demo-agents.ts";

const DEPLOY_MS = 60_000;
const SETTLE_MS = 90_000;

/** Where an environment is waited for. */
export interface DeployedOptions {
  /** Kubeconfig file of an administrator. */
  readonly kubeconfig: string;
  readonly signal: AbortSignal;
  /** Called when the environment is not well in time. */
  readonly say: (line: string) => void;
}

/** Waits until the agent has deployed its environments from Git and they are well, and writes what controllers of a larger cluster would say. */
export async function waitUntilDeployed({ files, deploys }: DemoAgent, options: DeployedOptions): Promise<void> {
  const { signal, say } = options;
  const http = new KubeHttp(readKubeconfig(options.kubeconfig));
  try {
    const applier = new ManifestApplier(http, signal);
    for (const { environment, directory, status } of deploys) {
      const missing = await notDeployed(applier, readManifests(join(files, directory), new Date()), signal);
      if (missing.length > 0) {
        say(`${environment} is not deployed yet: ${missing.join(", ")}`);
        continue;
      }
      if (status !== undefined) await applier.applyStatus(readManifests(join(files, status), new Date()));
      const waiting = await settle(http, { namespace: environment, timeoutMs: SETTLE_MS, signal });
      if (waiting.length > 0) say(`${environment} is not well yet: ${waiting.join(", ")}`);
    }
  } finally {
    await http.close();
  }
}

/** Names of what is not there when the time is over. */
async function notDeployed(applier: ManifestApplier, manifests: readonly Manifest[], signal: AbortSignal): Promise<readonly string[]> {
  const backoff = new Backoff({ initialMs: 100, maxMs: 1_000 });
  const deadline = systemClock.now() + DEPLOY_MS;
  for (;;) {
    const missing = await applier.missing(manifests);
    signal.throwIfAborted();
    if (missing.length === 0 || systemClock.now() > deadline) return missing.map(({ kind, name }) => `${kind}/${name}`);
    await sleep(systemClock, backoff.nextMs(), signal);
  }
}
