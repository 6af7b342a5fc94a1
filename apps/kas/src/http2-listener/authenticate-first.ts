import type { ServerHttp2Stream } from "node:http2";

import { Code } from "@connectrpc/connect";
import { Fault, type FaultReason } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { IncomingStream } from "./http2-listener.ts";
import { refuseStream } from "./refuse-stream.ts";
import type { Refusals } from "./refusals.ts";
import type { ProofVerdict } from "./session-admission.ts";

/** Codes about the credential itself; others mean that it could not be checked now. */
const VERDICTS: ReadonlySet<Code> = new Set([Code.Unauthenticated, Code.PermissionDenied, Code.NotFound, Code.InvalidArgument]);

/** Who is let in, and what follows. */
export interface AuthenticateFirstOptions<Identity> {
  /** The caller, where the connection has proved the same credential before, which needs no wait. Default: none. */
  readonly recognize?: (incoming: IncomingStream) => Identity | undefined;
  /** Checks headers alone. @throws Fault for a rejected client */
  readonly authenticate: (incoming: IncomingStream, departure: StreamDeparture) => Promise<Identity> | Identity;
  /** Answers a stream that is open still; what it throws refuses the stream too. */
  readonly answer: (incoming: IncomingStream, identity: Identity) => void;
  readonly refusals: Refusals;
  readonly log: Logger;
  /** Counts refusals once more, in another way. */
  readonly onRefused?: (reason: FaultReason) => void;
}

/** One for all: an `AbortError` of its own would cost a stack trace per stream. */
const GONE = new Fault("cancelled", "the client left");

/**
 * Accepts a stream only after its headers have proved who calls: until then no byte of a body is read, inflated or parsed, and what the
 * client sends meanwhile fills a small window and stops there.
 */
export function authenticateFirst<Identity>(options: AuthenticateFirstOptions<Identity>): (incoming: IncomingStream) => void {
  return (incoming) => {
    const identity = options.recognize?.(incoming);
    if (identity === undefined)
      void decide(incoming, options); // never rejects
    else answer(incoming, options, identity);
  };
}

function answer<Identity>(incoming: IncomingStream, options: AuthenticateFirstOptions<Identity>, identity: Identity): void {
  try {
    options.answer(incoming, identity);
  } catch (error) {
    refuse(incoming, options, error);
  }
}

async function decide<Identity>(incoming: IncomingStream, options: AuthenticateFirstOptions<Identity>): Promise<void> {
  const departure = new StreamDeparture(incoming.stream);
  try {
    const identity = await prove(incoming, options, departure);
    departure.forget();
    if (!departure.left) options.answer(incoming, identity);
  } catch (error) {
    if (!departure.left) refuse(incoming, options, error);
  }
}

function refuse<Identity>(
  incoming: IncomingStream,
  { refusals, onRefused, log }: AuthenticateFirstOptions<Identity>,
  error: unknown,
): void {
  const { address } = incoming.peer;
  if (error instanceof Fault) {
    refusals.note({ peer: address, reason: error.reason, error });
    onRefused?.(error.reason);
  } else log.error({ error, peer: address }, "answering a stream failed");
  refuseStream(incoming, error);
}

async function prove<Identity>(
  incoming: IncomingStream,
  { authenticate }: AuthenticateFirstOptions<Identity>,
  departure: StreamDeparture,
): Promise<Identity> {
  const settle = incoming.beginProof();
  let verdict: ProofVerdict = "unknown";
  try {
    const identity = await authenticate(incoming, departure);
    verdict = "proved";
    return identity;
  } catch (error) {
    if (error instanceof Fault && VERDICTS.has(error.code)) verdict = "refused";
    throw error;
  } finally {
    settle(verdict);
  }
}

/** Whether the client of a stream has left. The signal is created on first use, because most streams are answered at once. */
class StreamDeparture {
  readonly #stream: ServerHttp2Stream;
  #controller: AbortController | undefined;
  #leave: (() => void) | undefined;

  constructor(stream: ServerHttp2Stream) {
    this.#stream = stream;
  }

  get left(): boolean {
    const { aborted, closed, destroyed } = this.#stream;
    return aborted || closed || destroyed;
  }

  /** The signal is not used any more. */
  forget(): void {
    if (this.#leave) this.#stream.off("aborted", this.#leave).off("close", this.#leave);
  }

  /** Aborted when the client has left. */
  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal;
    const controller = new AbortController();
    const leave = (): void => controller.abort(GONE);
    if (this.left) leave();
    else this.#stream.once("aborted", leave).once("close", leave);
    this.#leave = leave;
    this.#controller = controller;
    return controller.signal;
  }
}
