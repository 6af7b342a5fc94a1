import type { KubeObject, ObjectList, ResourceKind, WatchEvent } from "@binnacle/kube";

import type { Discovery, KindListRequest, KindWatchRequest, KubeClient, ObjectRequest } from "../src/index.ts";
import { kindId } from "../src/scope/kind-plan.ts";

/** resourceVersion by uid, by "group/resource". */
export type Versions = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** A client that remembers which version of each object it has handed out, so that a test knows what a view has seen. */
export class WitnessClient implements KubeClient {
  readonly stream?: NonNullable<KubeClient["stream"]>;
  readonly #client: KubeClient;
  readonly #seen = new Map<string, Map<string, string>>();

  /** @param way `pages`: the client cannot stream lists */
  constructor(client: KubeClient, way: "streams" | "pages") {
    this.#client = client;
    const stream = client.stream?.bind(client);
    if (way === "streams" && stream) {
      this.stream = (request, signal) => {
        this.#seen.set(kindId(request.kind), new Map());
        return this.#witness(request.kind, stream(request, signal));
      };
    }
  }

  /** What the view has received of a kind. */
  seen(id: string): ReadonlyMap<string, string> {
    return this.#seen.get(id) ?? new Map();
  }

  discover(etag: string | undefined, signal: AbortSignal): Promise<Discovery | undefined> {
    return this.#client.discover(etag, signal);
  }

  async list(request: KindListRequest, signal: AbortSignal): Promise<ObjectList> {
    const list = await this.#client.list(request, signal);
    // A list of one is a probe: it only asks whether there is something.
    if (request.limit === 1) return list;
    if (request.continueToken === undefined) this.#seen.set(kindId(request.kind), new Map());
    for (const item of list.items) this.#take(request.kind, item);
    return list;
  }

  watch(request: KindWatchRequest, signal: AbortSignal): AsyncIterable<WatchEvent> {
    return this.#witness(request.kind, this.#client.watch(request, signal));
  }

  get(request: ObjectRequest, signal: AbortSignal): Promise<KubeObject> {
    return this.#client.get(request, signal);
  }

  async *#witness(kind: ResourceKind, events: AsyncIterable<WatchEvent>): AsyncGenerator<WatchEvent, void, void> {
    for await (const event of events) {
      // The reader comes back for more when it has dealt with what it was given.
      yield event;
      if (event.type === "ADDED" || event.type === "MODIFIED") this.#take(kind, event.object);
      if (event.type === "DELETED") this.#seen.get(kindId(kind))?.delete(event.object.metadata.uid ?? "");
    }
  }

  #take(kind: ResourceKind, { metadata }: KubeObject): void {
    const versions = this.#seen.get(kindId(kind)) ?? new Map<string, string>();
    this.#seen.set(kindId(kind), versions);
    versions.set(metadata.uid ?? "", metadata.resourceVersion ?? "");
  }
}
