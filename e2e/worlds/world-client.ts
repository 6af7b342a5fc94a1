import { createStatus, type KubeObject, type ObjectList, type ResourceKind, type WatchEvent } from "@binnacle/kube";
import { KubeClientError, type Discovery, type KindListRequest, type KubeClient, type ObjectRequest } from "@binnacle/environment-view";

/** "group/version/resource/Kind" of all that the worlds are made of. */
const SERVED = [
  ["", "v1", "Pod Service ConfigMap Secret PersistentVolumeClaim ServiceAccount ResourceQuota LimitRange Event"],
  ["apps", "v1", "Deployment ReplicaSet StatefulSet DaemonSet"],
  ["batch", "v1", "Job CronJob"],
  ["networking.k8s.io", "v1", "Ingress"],
  ["discovery.k8s.io", "v1", "EndpointSlice"],
  ["policy", "v1", "PodDisruptionBudget"],
  ["autoscaling", "v2", "HorizontalPodAutoscaler"],
  ["rbac.authorization.k8s.io", "v1", "Role RoleBinding"],
  ["helm.toolkit.fluxcd.io", "v2", "HelmRelease"],
  ["cert-manager.io", "v1", "Certificate CertificateRequest"],
  ["acme.cert-manager.io", "v1", "Order Challenge"],
] as const;

const KINDS: readonly ResourceKind[] = SERVED.flatMap(([group, version, kinds]) =>
  kinds.split(" ").map((kind) => ({
    group,
    version,
    kind,
    resource: kind === "Ingress" ? "ingresses" : `${kind.toLowerCase()}s`,
    namespaced: true,
    verbs: ["get", "list", "watch"],
    subresources: ["status"],
    shortNames: [],
  })),
);

/** A cluster in which nothing happens any more. */
export class WorldClient implements KubeClient {
  readonly #objects: readonly KubeObject[];

  constructor(objects: readonly KubeObject[]) {
    this.#objects = objects;
  }

  discover(): Promise<Discovery> {
    return Promise.resolve({ kinds: KINDS, etag: "1" });
  }

  list({ kind }: KindListRequest): Promise<ObjectList> {
    const items = this.#objects.filter((object) => object.kind === kind.kind);
    return Promise.resolve({ resourceVersion: "1", items, continueToken: "", remaining: undefined });
  }

  watch(_request: unknown, signal: AbortSignal): AsyncIterable<WatchEvent> {
    return { [Symbol.asyncIterator]: () => ({ next: () => untilAborted(signal) }) };
  }

  get({ kind, name }: ObjectRequest): Promise<KubeObject> {
    const object = this.#objects.find((each) => each.kind === kind.kind && each.metadata.name === name);
    const status = createStatus(404, `${kind.resource} "${name}" not found`);
    return object === undefined ? Promise.reject(new KubeClientError("api", status.message ?? "", { status })) : Promise.resolve(object);
  }
}

/** Nothing comes. */
function untilAborted(signal: AbortSignal): Promise<IteratorResult<WatchEvent>> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ done: true, value: undefined }), { once: true }));
}
