import { HERE_MS, type FromHub, type HubPort, type PackedMessage, type ToHub } from "./hub-protocol.ts";
import type { TopicListener } from "./stream-hub.ts";

interface Subscription<T, M> {
  readonly topic: T;
  readonly listener: TopicListener<M>;
}

/** A page's side of the hub of its browser: the same `subscribe` as the hub's own, over a port. */
export class HubClient<T, M, P = PackedMessage> {
  readonly #port: HubPort<FromHub<P>, ToHub<T>>;
  readonly #unpack: (packed: P) => M;
  readonly #subscriptions = new Map<number, Subscription<T, M>>();
  #lastNr = 0;
  #saying: ReturnType<typeof setInterval> | undefined;

  constructor(port: HubPort<FromHub<P>, ToHub<T>>, unpack: (packed: P) => M) {
    this.#port = port;
    this.#unpack = unpack;
    port.listen((data) => this.#hear(data));
  }

  /** Listens to a topic, as at the hub itself. The returned function ends that, once. */
  subscribe(topic: T, listener: TopicListener<M>, heldAtMs?: number): () => void {
    const nr = (this.#lastNr += 1);
    this.#subscriptions.set(nr, { topic, listener });
    this.#port.send({ what: "subscribe", nr, topic, ...(heldAtMs !== undefined && { heldAtMs }) });
    this.#saying ??= setInterval(() => this.#port.send({ what: "here" }), HERE_MS);
    return () => {
      if (!this.#subscriptions.delete(nr)) return;
      this.#port.send({ what: "unsubscribe", nr });
      if (this.#subscriptions.size === 0) this.#rest();
    };
  }

  /** The page is left, for now or for good. */
  leave(): void {
    this.#rest();
    this.#port.send({ what: "leave" });
  }

  /** The page is back out of the browser's cache of pages. */
  returned(): void {
    if (this.#subscriptions.size > 0) this.#again();
  }

  #again(): void {
    for (const [nr, { topic }] of this.#subscriptions) this.#port.send({ what: "subscribe", nr, topic });
    this.#saying ??= setInterval(() => this.#port.send({ what: "here" }), HERE_MS);
  }

  #rest(): void {
    clearInterval(this.#saying);
    this.#saying = undefined;
  }

  #hear(data: FromHub<P>): void {
    if (data.what === "welcome") return;
    if (data.what === "unknown") return this.#again();
    // What was on its way when the page stopped listening.
    const listener = this.#subscriptions.get(data.nr)?.listener;
    if (data.what === "message") listener?.take(this.#unpack(data.packed));
    else if (data.what === "lost") listener?.lost(data.reason);
    else listener?.unauthenticated();
  }
}
