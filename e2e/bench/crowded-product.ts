import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane } from "@binnacle/control-plane";

import { send, targetOf, type BearerTarget } from "../support/bearer-request.ts";
import { Sandbox } from "../support/sandbox.ts";
import { BENCH_NAMESPACE, BENCH_PODS } from "./bench-pods.ts";
import type { ContenderTarget } from "./contender-ways.ts";
import { createAll, fillWithPods } from "./world.ts";

/** A namespace with little in it, for what depends on changes and not on size. */
export const SMALL_NAMESPACE = "small";
/** ConfigMaps in it. */
const SMALL_SIZE = 50;

/** An API server with the 10,000 pods. */
export interface CrowdedCluster {
  readonly cluster: "embedded" | "real";
  readonly kubeconfig: string;
  /** Of a real one only. */
  readonly plane: ContenderTarget | undefined;
  stop(): Promise<void>;
}

/** Starts one and fills it: it takes some minutes. */
export async function startCrowdedCluster(): Promise<CrowdedCluster> {
  const cluster = await startCluster();
  try {
    await fillWithPods(targetOf(cluster.kubeconfig));
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** A product in front of a cluster with 10,000 pods; it has no view yet. */
export interface CrowdedProduct {
  readonly sandbox: Sandbox;
  readonly target: BearerTarget;
  readonly cluster: CrowdedCluster["cluster"];
}

/** Starts one, and makes what the pods refer to. The caller stops the sandbox. */
export async function startCrowdedProduct({ cluster, kubeconfig }: CrowdedCluster): Promise<CrowdedProduct> {
  const target = targetOf(kubeconfig);
  await fillWithMaps(target);
  const flags = ["--kubeconfig", kubeconfig, "--namespace", `${BENCH_NAMESPACE},${SMALL_NAMESPACE}`];
  return { sandbox: await Sandbox.start({ cluster: "embedded", flags }), target, cluster };
}

/** An empty API server; the embedded one comes with a product of its own, which gets no requests. */
async function startCluster(): Promise<CrowdedCluster> {
  if (process.env["KUBEBUILDER_ASSETS"] === undefined) {
    const world = await Sandbox.start({ cluster: "embedded" });
    return { cluster: "embedded", kubeconfig: world.endpoints.kubeconfigs.cluster, plane: undefined, stop: () => world.stop() };
  }
  const dir = mkdtempSync(join(tmpdir(), "bench-crowd-"));
  const plane = await startControlPlane({ dir, apiServerOnly: true });
  const stop = async (): Promise<void> => {
    await plane.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  return { cluster: "real", kubeconfig: plane.kubeconfig, plane, stop };
}

/** What the pods refer to, and the small namespace. */
async function fillWithMaps(target: BearerTarget): Promise<void> {
  const answer = await send(target, "/api/v1/namespaces", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name: SMALL_NAMESPACE } }),
  });
  await answer.body.dump();
  const mapsOf = (namespace: string, names: readonly string[]): { path: string; object: object }[] =>
    names.map((name) => ({ path: `/api/v1/namespaces/${namespace}/configmaps`, object: { metadata: { name }, data: { a: "1" } } }));
  const apps = Array.from({ length: Math.ceil(BENCH_PODS / 10) }, (_, index) => `app-${index}-config`);
  const small = Array.from({ length: SMALL_SIZE }, (_, index) => `settings-${index}`);
  await createAll(target, [...mapsOf(BENCH_NAMESPACE, apps), ...mapsOf(SMALL_NAMESPACE, small)]);
}
