import {
  fromBinary,
  toBinary,
  type DescMessage,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type MessageShape,
} from "@bufbuild/protobuf";
import type { ByteAccount } from "@binnacle/grpc-wire";
import { Fault, type Clock } from "@binnacle/rpc";
import { InterceptingCall, status, type Client, type Interceptor, type Metadata, type ServiceError } from "@grpc/grpc-js";

/** A call, and its flow. */
export interface GitalyRead<I extends DescMessage, O extends DescMessage> {
  /** An answer of one message is a stream of one. */
  readonly method: DescMethodServerStreaming<I, O> | DescMethodUnary<I, O>;
  readonly request: MessageShape<I>;
  /** Whose calls take turns with those of others. */
  readonly flow: string;
  /** Aborted when the rest is not needed. */
  readonly signal: AbortSignal;
  /** Holds the message that is in hand. */
  readonly account: ByteAccount;
}

/** How a call is made. */
export interface PulledCallOptions {
  readonly client: Client;
  readonly metadata: Metadata;
  readonly clock: Clock;
}

/** Gitaly may think this long before each requested message. */
const SILENCE_MS = 30_000;

/**
 * The messages of a call, one at a time: the next one is read only when it is requested, so what a slow reader does not take stays in Gitaly.
 * grpc-js alone reads sixteen messages ahead.
 *
 * @throws Fault `not_found`, `gitaly_unavailable`, `cancelled`
 */
export async function* pullMessages<I extends DescMessage, O extends DescMessage>(
  { method, request, signal, account }: Omit<GitalyRead<I, O>, "flow">,
  { client, metadata, clock }: PulledCallOptions,
): AsyncGenerator<MessageShape<O>, void> {
  if (signal.aborted) throw new Fault("cancelled", "the caller left");
  const hand = new Hand<MessageShape<O>>();
  let bytes = 0;
  let isRoom = true;
  const stream = client.makeServerStreamRequest(
    `/${method.parent.typeName}/${method.name}`,
    (message: MessageShape<I>) => Buffer.from(toBinary(method.input, message)),
    (received: Buffer) => {
      bytes = received.length;
      isRoom = account.charge(bytes);
      return fromBinary(method.output, received);
    },
    request,
    metadata,
    { interceptors: [holding(hand)] },
  );
  stream.on("data", () => undefined);
  stream.on("error", (error: ServiceError) => hand.end(faultOf(error)));
  stream.on("end", () => hand.end());
  const leave = (): void => {
    hand.end(new Fault("cancelled", "the caller left"));
    stream.cancel();
  };
  signal.addEventListener("abort", leave, { once: true });
  try {
    for (;;) {
      const cancelSilence = clock.after(SILENCE_MS, () => hand.end(new Fault("gitaly_unavailable", "Gitaly keeps silent")));
      const held = await hand.next().finally(cancelSilence);
      if (!held) return;
      yield held.message;
      account.release(bytes);
      bytes = 0;
      if (!isRoom) await roomOf(account, signal);
      held.goOn();
    }
  } finally {
    signal.removeEventListener("abort", leave);
    account.release(bytes);
    stream.cancel();
  }
}

interface Held<T> {
  readonly message: T;
  /** The next one may come. */
  readonly goOn: () => void;
}

/** Holds one message, or the end. */
class Hand<T> {
  #held: Held<T> | undefined;
  #end: { readonly fault: Fault | undefined } | undefined;
  #wake = (): void => undefined;

  take(held: Held<T>): void {
    this.#held = held;
    this.#wake();
  }

  /** The first word counts. */
  end(fault?: Fault): void {
    this.#end ??= { fault };
    this.#wake();
  }

  /** The message; undefined when there is none any more. @throws Fault that the call ended with */
  async next(): Promise<Held<T> | undefined> {
    while (!this.#held && !this.#end) await new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#end?.fault) throw this.#end.fault;
    const held = this.#held;
    this.#held = undefined;
    return held;
  }
}

/** Puts each message into the hand instead of into the stream's buffer; until `goOn` is called nothing more is read. */
function holding<T>(hand: Hand<T>): Interceptor {
  return (options, nextCall) =>
    new InterceptingCall(nextCall(options), {
      start(metadata, _listener, next) {
        next(metadata, { onReceiveMessage: (message: T, deliver) => hand.take({ message, goOn: () => deliver(message) }) });
      },
    });
}

function roomOf(account: ByteAccount, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener("abort", done);
      resolve();
    };
    signal.addEventListener("abort", done, { once: true });
    account.onRoom(done);
  });
}

function faultOf(error: ServiceError): Fault {
  if (error.code === status.NOT_FOUND) return new Fault("not_found", error.details, { cause: error });
  return new Fault("gitaly_unavailable", `Gitaly: ${error.details}`, { cause: error });
}
