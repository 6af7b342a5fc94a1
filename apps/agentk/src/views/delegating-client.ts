import {
  KubeClientError,
  streamOf,
  type Discovery,
  type KindListRequest,
  type KindStreamRequest,
  type KindWatchRequest,
  type KubeClient,
  type ObjectRequest,
} from "@binnacle/environment-view";
import type { KubeObject, ObjectList, WatchEvent } from "@binnacle/kube";
import { words } from "@binnacle/words";

interface Carrier {
  readonly client: KubeClient;
  readonly left: AbortController;
}

/**
 * A client that sends its requests as one of several viewers with the same rights. When that viewer leaves, its running requests fail, and
 * retries are sent as the next one.
 */
export class DelegatingClient implements KubeClient {
  /** In the order of their arrival: requests are sent as the first. */
  readonly #carriers = new Set<Carrier>();

  /** Adds a viewer. @returns removes it, to be called once */
  join(client: KubeClient): () => void {
    const carrier = { client, left: new AbortController() };
    this.#carriers.add(carrier);
    return () => {
      this.#carriers.delete(carrier);
      carrier.left.abort();
    };
  }

  discover(etag: string | undefined, signal: AbortSignal): Promise<Discovery | undefined> {
    return this.#ask(signal, (client, inner) => client.discover(etag, inner));
  }

  list(request: KindListRequest, signal: AbortSignal): Promise<ObjectList> {
    return this.#ask(signal, (client, inner) => client.list(request, inner));
  }

  get(request: ObjectRequest, signal: AbortSignal): Promise<KubeObject> {
    return this.#ask(signal, (client, inner) => client.get(request, inner));
  }

  watch(request: KindWatchRequest, signal: AbortSignal): AsyncIterable<WatchEvent> {
    return this.#follow(signal, (client, inner) => client.watch(request, inner));
  }

  stream(request: KindStreamRequest, signal: AbortSignal): AsyncIterable<WatchEvent> {
    return this.#follow(signal, (client, inner) => streamOf(client, request, inner));
  }

  async #ask<T>(signal: AbortSignal, ask: (client: KubeClient, signal: AbortSignal) => Promise<T>): Promise<T> {
    const { client, left } = this.#carrier();
    try {
      return await ask(client, AbortSignal.any([signal, left.signal]));
    } catch (error) {
      throw left.signal.aborted && !signal.aborted ? gone() : error;
    }
  }

  async *#follow(
    signal: AbortSignal,
    follow: (client: KubeClient, signal: AbortSignal) => AsyncIterable<WatchEvent>,
  ): AsyncGenerator<WatchEvent, void, void> {
    const { client, left } = this.#carrier();
    try {
      yield* follow(client, AbortSignal.any([signal, left.signal]));
    } catch (error) {
      throw left.signal.aborted && !signal.aborted ? gone() : error;
    }
    if (left.signal.aborted && !signal.aborted) throw gone();
  }

  #carrier(): Carrier {
    const [carrier] = this.#carriers;
    if (carrier === undefined) throw gone();
    return carrier;
  }
}

function gone(): KubeClientError {
  return new KubeClientError("connection", words("request/connection-failed"));
}
