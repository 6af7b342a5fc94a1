import { createStatus, type KubeObject } from "@binnacle/kube";

import { FakeCluster } from "./fake-cluster.ts";
import { KubeClientError, type ObjectRequest } from "../base/kube-client.ts";
import { kindId } from "../scope/kind-plan.ts";

/** Returns single objects of other namespaces, to clients that may read them. */
export class ToolsCluster extends FakeCluster {
  /** The single objects that were read, "apps/deployments flux-system/web". */
  readonly reads: string[] = [];
  /** Namespaces that may not be read, "flux-system". */
  readonly closed = new Set<string>();
  /** Single objects are answered with this while set. */
  failure: KubeClientError | undefined;

  override async get(request: ObjectRequest, _signal: AbortSignal): Promise<KubeObject> {
    const { kind, namespace, name } = request;
    this.reads.push(`${kindId(kind)} ${namespace}/${name}`);
    await Promise.resolve();
    if (this.failure) throw this.failure;
    if (this.closed.has(namespace)) throw new KubeClientError("api", "no", { status: createStatus(403, "no") });
    const found = this.objectsOf(kindId(kind), namespace).find((object) => object.metadata.name === name);
    if (found === undefined) throw new KubeClientError("api", "not found", { status: createStatus(404, "not found") });
    return found;
  }
}
