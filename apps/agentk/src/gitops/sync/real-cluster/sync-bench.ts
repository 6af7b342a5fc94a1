import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { fieldsAt, INVENTORY_LABEL, textAt } from "@binnacle/kube";
import { systemClock } from "@binnacle/rpc";

import type { ClusterAccess } from "../../../cluster-access/cluster-access.ts";
import { ClusterClient } from "../../../cluster-access/cluster-client.ts";
import { kubeconfigAccess } from "../../../cluster-access/kubeconfig.ts";
import { createOwnTransport } from "../../../cluster-access/own-transport.ts";
import { createClusterApi, type ApiAnswer, type ApiCall, type ClusterApi } from "../../../cluster-access/cluster-api.ts";
import { DEFAULT_OPTIONS } from "../../testing/sync-made.ts";
import type { Commit } from "../commit.ts";
import type { OwnWrites } from "../own-writes.ts";
import { syncCommit } from "../sync-commit.ts";
import type { SyncOptions } from "../sync-options.ts";
import type { SyncReport } from "../sync-report.ts";

/** A signal that does not abort. */
export const never = new AbortController().signal;

/** Who syncs, when it is not the usual agent over the usual connection. */
interface SyncedBy {
  readonly api?: ClusterApi;
  readonly agentId?: bigint;
  readonly signal?: AbortSignal;
  readonly ownWrites?: OwnWrites;
}

/** What there is in the namespace. */
interface Seen {
  /** Names of the ConfigMaps that a sync made. */
  readonly live: string[];
  /** What the first inventory lists. */
  readonly listed: string[];
}

/** One etcd and API server for all suites of this folder, and a namespace in it for each test. */
class SyncBench {
  /** The namespace of the test, and of what its manifests leave without one. */
  namespace = "";
  /** Number of the test: kinds and namespaces of its own are named by it. */
  count = 0;
  #directory = "";
  #cluster: ControlPlane | undefined;
  #client: ClusterClient | undefined;
  #api: ClusterApi | undefined;

  async start(): Promise<void> {
    this.#directory = mkdtempSync(join(tmpdir(), "agentk-gitops-"));
    this.#cluster = await startControlPlane({ dir: this.#directory, apiServerOnly: true });
    this.#client = new ClusterClient(this.access());
    this.#api = createClusterApi(createOwnTransport(this.#client, { part: "gitops" }));
  }

  async stop(): Promise<void> {
    await this.#client?.close();
    await this.#cluster?.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** As the administrator. */
  access(): ClusterAccess {
    return kubeconfigAccess({ path: this.#cluster?.kubeconfig ?? "", context: undefined, env: {}, clock: systemClock });
  }

  get api(): ClusterApi {
    if (this.#api === undefined) throw new Error("the bench is not started");
    return this.#api;
  }

  /** Makes a namespace and works in it from now on. */
  async enter(namespace = `gitops-${(this.count += 1)}`): Promise<void> {
    this.namespace = namespace;
    await this.call("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  }

  call(method: ApiCall["method"], target: string, body?: unknown): Promise<ApiAnswer> {
    return this.api.call({ method, target, signal: never, ...(body === undefined ? {} : { body }) });
  }

  patch(target: string, body: unknown, contentType = "application/apply-patch+yaml"): Promise<ApiAnswer> {
    return this.api.call({ method: "PATCH", target, body, contentType, signal: never });
  }

  /** Where a ConfigMap of the namespace is. */
  mapPath(name: string): string {
    return `/api/v1/namespaces/${this.namespace}/configmaps/${name}`;
  }

  /** As a user who may patch a ConfigMap. */
  annotate(name: string, annotations: Readonly<Record<string, string>>): Promise<ApiAnswer> {
    return this.patch(this.mapPath(name), { metadata: { annotations } }, "application/merge-patch+json");
  }

  sync(of: Commit, over: Partial<SyncOptions> = {}, by: SyncedBy = {}): Promise<SyncReport> {
    const options = { ...DEFAULT_OPTIONS, defaultNamespace: this.namespace, ...over };
    return syncCommit(of, { api: this.api, clock: systemClock, agentId: 5n, options, signal: never, superseded: never, ...by });
  }

  async seen(): Promise<Seen> {
    const list = fieldsAt(await this.call("GET", `/api/v1/namespaces/${this.namespace}/configmaps`), "value")["items"];
    const items = Array.isArray(list) ? list : [];
    const nameOf = (item: unknown): string => textAt(fieldsAt(item, "metadata"), "name");
    const isInventory = (item: unknown): boolean => INVENTORY_LABEL in fieldsAt(fieldsAt(item, "metadata"), "labels");
    const inventory = items.find(isInventory);
    return {
      live: items
        .filter((item) => !isInventory(item) && nameOf(item) !== "kube-root-ca.crt")
        .map(nameOf)
        .toSorted(),
      listed: Object.keys(fieldsAt(inventory, "data")).toSorted(),
    };
  }

  /** Lines of ConfigMaps in the inventory. */
  lines(...names: string[]): string[] {
    return names.map((name) => `${this.namespace}_${name}__ConfigMap`);
  }
}

/** Started by `real-cluster.itest.ts`. */
export const bench = new SyncBench();
