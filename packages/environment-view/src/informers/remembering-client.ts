import type { KubeObject, ObjectList, WatchEvent } from "@binnacle/kube";

import {
  KubeClientError,
  type Discovery,
  type KindListRequest,
  type KindStreamRequest,
  type KindWatchRequest,
  type KubeClient,
  type ObjectRequest,
} from "../base/kube-client.ts";

/** A client that remembers why its last request failed, until one succeeds: all who depend on it receive the same reason. */
export class RememberingClient implements KubeClient {
  readonly stream?: NonNullable<KubeClient["stream"]>;
  readonly #client: KubeClient;
  #failure: KubeClientError | undefined;

  constructor(client: KubeClient) {
    this.#client = client;
    const stream = client.stream?.bind(client);
    if (stream) this.stream = (request: KindStreamRequest, signal) => this.#events(stream(request, signal), signal);
  }

  /** Why the last request failed; `undefined` when it did not. */
  get failure(): KubeClientError | undefined {
    return this.#failure;
  }

  /** No request was sent yet. */
  forget(): void {
    this.#failure = undefined;
  }

  get aheadMs(): number | undefined {
    return this.#client.aheadMs;
  }

  discover(etag: string | undefined, signal: AbortSignal): Promise<Discovery | undefined> {
    return this.#client.discover(etag, signal);
  }

  list(request: KindListRequest, signal: AbortSignal): Promise<ObjectList> {
    return this.#noted(this.#client.list(request, signal), signal);
  }

  watch(request: KindWatchRequest, signal: AbortSignal): AsyncIterable<WatchEvent> {
    return this.#events(this.#client.watch(request, signal), signal);
  }

  get(request: ObjectRequest, signal: AbortSignal): Promise<KubeObject> {
    return this.#client.get(request, signal);
  }

  async #noted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      const value = await answer;
      this.#failure = undefined;
      return value;
    } catch (error) {
      this.#note(error, signal);
      throw error;
    }
  }

  async *#events(events: AsyncIterable<WatchEvent>, signal: AbortSignal): AsyncGenerator<WatchEvent, void, void> {
    try {
      for await (const event of events) {
        this.#failure = undefined;
        yield event;
      }
    } catch (error) {
      this.#note(error, signal);
      throw error;
    }
  }

  #note(error: unknown, signal: AbortSignal): void {
    if (error instanceof KubeClientError && !signal.aborted) this.#failure = error;
  }
}
