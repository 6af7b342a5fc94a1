import { createStatus, type KubeObject, type ObjectList, type ResourceKind, type WatchEvent } from "@binnacle/kube";

import {
  KubeClientError,
  type Discovery,
  type KindListRequest,
  type KindStreamRequest,
  type KindWatchRequest,
  type KubeClient,
  type ObjectRequest,
} from "../base/kube-client.ts";
import { isMetadataOnly } from "../scope/kind-plan.ts";
import { streamOf } from "../base/stream-of.ts";
import type { Informer } from "./informer.ts";
import type { Informers } from "./informers.ts";

/** What a viewer may read, as it was checked. */
export interface ViewerRights {
  /** @param namespace empty for all, and for cluster scope */
  mayList(kind: ResourceKind, namespace: string): boolean;
  mayGet(kind: ResourceKind, namespace: string, name: string): boolean;
}

/** What a viewer's client works with. */
export interface ViewerClientOptions {
  readonly informers: Informers;
  readonly rights: ViewerRights;
  /** As the viewer himself: for single objects, and for kinds that the informers may not read. */
  readonly viewer: KubeClient;
}

/**
 * A cluster as one viewer sees it, read from informers that see more: what the viewer has no checked right to read is denied as the API
 * server would deny it, and never returned.
 */
export class ViewerClient implements KubeClient {
  readonly #options: ViewerClientOptions;

  constructor(options: ViewerClientOptions) {
    this.#options = options;
  }

  get aheadMs(): number | undefined {
    return this.#options.informers.aheadMs;
  }

  discover(etag: string | undefined, signal: AbortSignal): Promise<Discovery | undefined> {
    return this.#options.informers.discover(etag, signal);
  }

  async list(request: KindListRequest, signal: AbortSignal): Promise<ObjectList> {
    // A probe asks whether there is anything: who holds the objects knows.
    const informer = await this.#informer(request, signal);
    return (
      informer?.list(request.namespace, request.limit === 1 ? 1 : Number.POSITIVE_INFINITY) ?? this.#options.viewer.list(request, signal)
    );
  }

  async *watch(request: KindWatchRequest, signal: AbortSignal): AsyncGenerator<WatchEvent, void, void> {
    const informer = await this.#informer(request, signal);
    if (informer !== undefined) request.opened?.();
    yield* informer?.watch(request.namespace, request.resourceVersion, signal) ?? this.#options.viewer.watch(request, signal);
  }

  async *stream(request: KindStreamRequest, signal: AbortSignal): AsyncGenerator<WatchEvent, void, void> {
    const informer = await this.#informer(request, signal);
    if (informer !== undefined) request.opened?.();
    yield* informer?.stream(request.namespace, signal) ?? streamOf(this.#options.viewer, request, signal);
  }

  get(request: ObjectRequest, signal: AbortSignal): Promise<KubeObject> {
    const { kind, namespace, name } = request;
    if (this.#options.rights.mayGet(kind, namespace, name)) return this.#options.viewer.get(request, signal);
    return Promise.reject(forbidden(kind, namespace, "get"));
  }

  /** @returns `undefined` when the viewer may read it and the informers may not. @throws KubeClientError when the viewer may not either */
  async #informer(
    { kind, namespace, metadataOnly }: Pick<KindListRequest, "kind" | "namespace" | "metadataOnly">,
    signal: AbortSignal,
  ): Promise<Informer | undefined> {
    const { informers, rights } = this.#options;
    if (!rights.mayList(kind, namespace)) throw forbidden(kind, namespace, "list");
    // A probe reads metadata alone of any kind; of Secrets no request reads more.
    return informers.of({ kind, namespace, metadataOnly: metadataOnly && isMetadataOnly(kind) }, signal);
  }
}

function forbidden(kind: ResourceKind, namespace: string, verb: string): KubeClientError {
  const place = namespace === "" ? "at the cluster scope" : `in the namespace "${namespace}"`;
  const message = `${kind.resource} is forbidden: the viewer cannot ${verb} resource "${kind.resource}" in API group "${kind.group}" ${place}`;
  return new KubeClientError("api", message, { status: createStatus(403, message) });
}
