import { join } from "node:path";

import { Backoff, sleep, systemClock } from "@binnacle/rpc";

import { readKubeconfig } from "../cluster/kubeconfig-file.ts";
import { KubeHttp } from "../cluster/kube-http.ts";
import { ManifestApplier } from "../cluster/manifest-applier.ts";
import { readManifests } from "../cluster/manifest.ts";
import { settle } from "../cluster/settle.ts";
import { DEMO_DIR } from "./demo-repository.ts";

const DEPLOY_MS = 60_000;
const SETTLE_MS = 90_000;

/** Where production is waited for. */
export interface ProductionOptions {
  /** Kubeconfig file of an administrator. */
  readonly kubeconfig: string;
  readonly signal: AbortSignal;
  /** Told when production is not well in time. */
  readonly say: (line: string) => void;
}

/** Waits until the agent has deployed production from Git and it is well, and writes what controllers of a larger cluster would say. */
export async function waitForProduction(options: ProductionOptions): Promise<void> {
  const http = new KubeHttp(readKubeconfig(options.kubeconfig));
  try {
    const applier = new ManifestApplier(http, options.signal);
    const missing = await notDeployed(applier, options.signal);
    if (missing.length > 0) {
      options.say(`production is not deployed yet: ${missing.join(", ")}`);
      return;
    }
    await applier.applyStatus(readManifests(join(DEMO_DIR, "manifests/status"), new Date()));
    const waiting = await settle(http, { namespace: "production", timeoutMs: SETTLE_MS, signal: options.signal });
    if (waiting.length > 0) options.say(`production is not well yet: ${waiting.join(", ")}`);
  } finally {
    await http.close();
  }
}

/** Names of what is not there when the time is over. */
async function notDeployed(applier: ManifestApplier, signal: AbortSignal): Promise<readonly string[]> {
  const manifests = readManifests(join(DEMO_DIR, "manifests/production"), new Date());
  const backoff = new Backoff({ initialMs: 100, maxMs: 1_000 });
  const deadline = systemClock.now() + DEPLOY_MS;
  for (;;) {
    const missing = await applier.missing(manifests);
    signal.throwIfAborted();
    if (missing.length === 0 || systemClock.now() > deadline) return missing.map(({ kind, name }) => `${kind}/${name}`);
    await sleep(systemClock, backoff.nextMs(), signal);
  }
}
