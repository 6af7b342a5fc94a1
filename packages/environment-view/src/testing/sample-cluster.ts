import { createStatus, type KubeObject, type ObjectList, type ResourceKind, type WatchEvent } from "@binnacle/kube";
import { sleep, type Clock } from "@binnacle/rpc";

import { kindOf } from "./fake-cluster.ts";
import { KubeClientError, type Discovery, type KindListRequest, type KindWatchRequest, type KubeClient } from "../base/kube-client.ts";
import { kindId } from "../scope/kind-plan.ts";

/** One request as the cluster saw it. */
export interface SeenRequest {
  readonly atMs: number;
  /** "list", "probe" or "page". */
  readonly verb: string;
  readonly kind: string;
  /** Empty: all namespaces. */
  readonly namespace: string;
  readonly metadataOnly: boolean;
}

/** Kinds of an ordinary cluster. */
const KINDS: readonly ResourceKind[] = [
  "/v1/pods/Pod",
  "/v1/events/Event",
  "/v1/services/Service",
  "/v1/configmaps/ConfigMap",
  "/v1/secrets/Secret",
  "/v1/serviceaccounts/ServiceAccount",
  "/v1/persistentvolumeclaims/PersistentVolumeClaim",
  "apps/v1/deployments/Deployment",
  "apps/v1/replicasets/ReplicaSet",
  "apps/v1/statefulsets/StatefulSet",
  "apps/v1/daemonsets/DaemonSet",
  "batch/v1/jobs/Job",
  "discovery.k8s.io/v1/endpointslices/EndpointSlice",
  "networking.k8s.io/v1/ingresses/Ingress",
  "autoscaling/v2/horizontalpodautoscalers/HorizontalPodAutoscaler",
  "example.com/v1/widgets/Widget",
].map(kindOf);

/** A cluster of many namespaces in memory, for one identity: lists, rights per kind and namespace, pages; watches are only counted. */
export class SampleCluster implements KubeClient {
  readonly requests: SeenRequest[] = [];
  readonly kinds: ResourceKind[];
  watches = 0;
  /** What the identity may list; an empty namespace: all of them. */
  mayList: (kind: string, namespace: string) => boolean = () => true;
  /** Requests fail like this while set. */
  outage: KubeClientError | undefined;
  /** Lists of these kinds fail like this. */
  readonly broken = new Map<string, KubeClientError>();
  /** Lists of these kinds are not answered. */
  readonly silent = new Set<string>();
  /** How long a request takes. */
  slowMs = 0;
  /** Requests never settle while true. */
  hanging = false;
  /** Called before a list is answered: a cluster does not stand still meanwhile. */
  meanwhile: (request: SeenRequest) => void = () => {};
  /** Says that there is more, but not how much. */
  hidesRemaining = false;
  /** The next so many continued pages are too old. */
  expires = 0;
  readonly #clock: Clock;
  readonly #objects = new Map<string, Map<string, KubeObject>>();

  constructor(clock: Clock, kinds: readonly ResourceKind[] = KINDS) {
    this.#clock = clock;
    this.kinds = [...kinds];
  }

  /** Creates or replaces an object. */
  put(kind: string, object: KubeObject): void {
    const { namespace = "", name } = object.metadata;
    const objects = this.#objects.get(kind) ?? new Map<string, KubeObject>();
    this.#objects.set(kind, objects);
    objects.set(`${namespace}/${name}`, { ...object, metadata: { uid: `${kind}/${namespace}/${name}`, ...object.metadata } });
  }

  delete(kind: string, namespace: string, name: string): void {
    this.#objects.get(kind)?.delete(`${namespace}/${name}`);
  }

  async discover(etag: string | undefined, signal: AbortSignal): Promise<Discovery | undefined> {
    await this.#reach(signal);
    const now = String(this.kinds.length);
    return etag === now ? undefined : { kinds: [...this.kinds], etag: now };
  }

  async list(request: KindListRequest, signal: AbortSignal): Promise<ObjectList> {
    const { kind, namespace, limit, continueToken, metadataOnly } = request;
    const id = kindId(kind);
    const verb = limit === 1 ? "probe" : continueToken === undefined ? "list" : "page";
    const seen = { atMs: this.#clock.now(), verb, kind: id, namespace, metadataOnly };
    this.requests.push(seen);
    this.meanwhile(seen);
    if (this.silent.has(id)) await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    await this.#reach(signal);
    if (!this.mayList(id, namespace)) throw apiError(403, `you may not list ${id} in "${namespace}"`);
    const broken = this.broken.get(id);
    if (broken) throw broken;
    if (continueToken !== undefined && this.expires > 0) {
      this.expires -= 1;
      throw apiError(410, "the continue parameter is too old");
    }
    const all = [...(this.#objects.get(id)?.values() ?? [])].filter(({ metadata }) => namespace === "" || metadata.namespace === namespace);
    const from = Number(continueToken ?? 0);
    const items = all.slice(from, from + limit);
    const rest = all.length - from - items.length;
    return {
      items: metadataOnly ? items.map(({ apiVersion, kind: name, metadata }) => ({ apiVersion, kind: name, metadata })) : items,
      resourceVersion: "1",
      continueToken: rest > 0 ? String(from + limit) : "",
      remaining: rest > 0 && !this.hidesRemaining ? rest : undefined,
    };
  }

  async *watch(request: KindWatchRequest, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    this.watches += 1;
    request.opened?.();
    yield { type: "BOOKMARK", resourceVersion: "1", initialEventsEnd: false };
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }

  get(): Promise<KubeObject> {
    return Promise.reject(apiError(404, "not found"));
  }

  async #reach(signal: AbortSignal): Promise<void> {
    if (this.slowMs > 0) await sleep(this.#clock, this.slowMs, signal);
    if (this.hanging) await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    if (signal.aborted) throw new KubeClientError("connection", "aborted");
    if (this.outage) throw this.outage;
  }
}

/** What the API server answers. */
export function apiError(code: number, message: string): KubeClientError {
  return new KubeClientError("api", message, { status: createStatus(code, message) });
}

/** A Deployment, its ReplicaSet and its pod, and the service account that it runs as. @param waiting why its container does not run */
export function putWorkload(cluster: SampleCluster, namespace: string, { waiting = "", name = "web" } = {}): void {
  const [deployment, set] = [`apps/deployments/${namespace}/${name}`, `apps/replicasets/${namespace}/${name}-1`];
  const ready = waiting === "";
  const creationTimestamp = "2026-12-31T00:00:00Z";
  const owner = (kind: string, of: string, uid: string): object => ({
    ownerReferences: [{ apiVersion: "apps/v1", kind, name: of, uid, controller: true }],
  });
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "app:1" }] } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  const replicas = ready ? { readyReplicas: 1, availableReplicas: 1 } : { unavailableReplicas: 1 };
  const conditions = [{ type: "Available", status: ready ? "True" : "False" }];
  cluster.put("apps/deployments", {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name, creationTimestamp },
    spec,
    status: { replicas: 1, updatedReplicas: 1, conditions, ...replicas },
  });
  cluster.put("apps/replicasets", {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { namespace, name: `${name}-1`, labels, creationTimestamp, ...owner("Deployment", name, deployment) },
    spec,
    status: { replicas: 1, ...replicas },
  });
  cluster.put("/pods", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace, name: `${name}-1-x`, labels, creationTimestamp, ...owner("ReplicaSet", `${name}-1`, set) },
    spec: { containers: [{ name: "c", image: "app:1" }] },
    status: {
      phase: ready ? "Running" : "Pending",
      conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
      containerStatuses: [{ name: "c", ready, restartCount: 0, state: ready ? { running: {} } : { waiting: { reason: waiting } } }],
    },
  });
}
