import { Code, ConnectError } from "@connectrpc/connect";
import { HubClient } from "../hub/hub-client.ts";
import type { FromHub, PackedMessage, ToHub } from "../hub/hub-protocol.ts";
import type { OpenedTopic, TopicMessage } from "../hub/stream-hub.ts";
import { linePort, parseFromHub } from "./line-port.ts";
import type { PageChannel } from "./page-channel.ts";

/** How topics are requested from the leader. */
export interface LeaderStreamOptions<M> {
  /** The line to it, still unused. */
  readonly line: PageChannel;
  /** Asks the leader to serve the line. */
  readonly join: () => void;
  readonly unpack: (packed: PackedMessage) => M;
  /** It does not answer, or says what it cannot have got. */
  readonly refused: () => void;
}

/** A page that is busy for longer has trouble of its own. */
const PATIENCE_MS = 4_000;

/** What a page hears, in the order it came, until the stream is over. */
class Inbox {
  readonly #messages: { readonly id: number; readonly packed?: PackedMessage; readonly lost?: string }[] = [];
  readonly #signal: AbortSignal;
  #failure: Error | undefined;
  #wake = (): void => {};

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#wake(), { once: true });
  }

  put(message: { readonly id: number; readonly packed?: PackedMessage; readonly lost?: string }): void {
    this.#messages.push(message);
    this.#wake();
  }

  fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<{ readonly id: number; readonly packed?: PackedMessage; readonly lost?: string }> {
    while (!this.#signal.aborted) {
      const message = this.#messages.shift();
      if (message !== undefined) yield message;
      else if (this.#failure !== undefined) throw this.#failure;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/**
 * The same stream that the server would send, from the page that has it.
 *
 * @throws ConnectError `unauthenticated` when the session is over; `unavailable` when the leader does not answer
 */
export async function* openLeaderStream<T, M, P>(
  { line, join, unpack, refused }: LeaderStreamOptions<M>,
  topics: readonly OpenedTopic<T, P>[],
  signal: AbortSignal,
): AsyncGenerator<TopicMessage<M>> {
  const inbox = new Inbox(signal);
  const port = linePort<FromHub, ToHub<T>>(line, parseFromHub);
  const client = new HubClient<T, PackedMessage>(port, (packed) => packed);
  const patience = setTimeout(() => {
    refused();
    inbox.fail(new ConnectError("the page that leads does not answer", Code.Unavailable));
  }, PATIENCE_MS);
  let isServed = false;
  port.listen(({ what }) => {
    if (what !== "welcome" || isServed) return;
    isServed = true;
    clearTimeout(patience);
    for (const { id, topic, heldAtMs } of topics) {
      const listener = {
        take: (packed: PackedMessage) => inbox.put({ id, packed }),
        lost: (reason: string) => inbox.put({ id, lost: reason }),
        unauthenticated: () => inbox.fail(new ConnectError("the session is over", Code.Unauthenticated)),
      };
      client.subscribe(topic, listener, heldAtMs);
    }
  });
  join();
  try {
    for await (const { id, packed, lost } of inbox) {
      if (packed !== undefined) yield { id, message: unpackedOr(refused, () => unpack(packed)) };
      else yield { id, lost: lost ?? "" };
    }
  } finally {
    clearTimeout(patience);
    client.leave();
    line.close();
  }
}

function unpackedOr<M>(refused: () => void, unpack: () => M): M {
  try {
    return unpack();
  } catch (error) {
    refused();
    throw error;
  }
}
