import { GrpcClientStream } from "@binnacle/grpc-wire";
import { Fault, type Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { KasRoute } from "../agent-tracker/route-store.ts";
import { encodeCallContext } from "../agent-call/call-context.ts";
import type { RoutingMetrics } from "../agent-call/routing-metrics.ts";
import type { TunnelNeed } from "../reverse-tunnel/agent-tunnels.ts";
import { HOP_METHOD_KEY, needMetadataOf } from "./gateway-frames.ts";
import type { HopTokens } from "./hop-token.ts";
import type { KasPeerPool } from "./kas-peer-pool.ts";
import { reportPeerViolation } from "./peer-violation.ts";
import type { PeerLease } from "./peer-sessions.ts";
import {
  decodeWaitAnswer,
  encodeWait,
  MAX_WAIT_MESSAGE_BYTES,
  refusalFault,
  TUNNEL_WAITS_PATH,
  type WaitAnswer,
  type WaitRequest,
} from "./wait-frames.ts";

/** What waiting at other kas needs. */
export interface PeerWaitsOptions {
  readonly peers: KasPeerPool;
  readonly tokens: HopTokens;
  readonly clock: Clock;
  readonly metrics: RoutingMetrics;
  readonly log: Logger;
}

/** Events for a caller that waits: one of these, once. */
export interface PeerWaitHandlers {
  /** A tunnel is held there for a call that names the ticket. */
  ready(ticket: string): void;
  refused(fault: Fault): void;
  /** The kas cannot be waited at; `message` is for the log. */
  failed(message: string): void;
}

/** A stream without waits is kept for this long: the next caller that waits is seldom far. */
const LINGER_MS = 2_000;
/** A stream that broke sooner than this is not opened again for those who waited over it. */
const SOUND_MS = 1_000;

/**
 * Waits for tunnels of other kas. All callers that wait at one kas for the same agent (and method, replica, impersonation, upgrade) share one
 * stream: a thousand of them take no place from calls.
 */
export class PeerWaits {
  readonly #options: PeerWaitsOptions;
  readonly #streams = new Map<string, WaitStream>();

  constructor(options: PeerWaitsOptions) {
    this.#options = options;
  }

  /** Streams that are open. */
  get size(): number {
    return this.#streams.size;
  }

  /** @returns takes the wait back */
  wait(route: KasRoute, need: TunnelNeed, handlers: PeerWaitHandlers): () => void {
    const { agentId, method, impersonation, upgrade, connectionId } = need;
    const key = [route.kasId, agentId, method, impersonation === true, upgrade === true, connectionId].join(" ");
    const known = this.#streams.get(key);
    const stream = known ?? new WaitStream({ ...this.#options, route, need, onDone: () => this.#streams.delete(key) });
    if (!known) this.#streams.set(key, stream);
    return stream.wait(need, handlers);
  }
}

interface WaitStreamOptions extends PeerWaitsOptions {
  readonly route: KasRoute;
  readonly need: TunnelNeed;
  /** Called when the stream is closed for further waits. */
  readonly onDone: () => void;
}

interface Wait {
  readonly context: string;
  readonly handlers: PeerWaitHandlers;
}

class WaitStream {
  readonly #options: WaitStreamOptions;
  readonly #waits = new Map<number, Wait>();
  #lastId = 0;
  #grpc: GrpcClientStream | undefined;
  #openedMs = 0;
  #done = false;
  #cancelLinger = (): void => {};

  constructor(options: WaitStreamOptions) {
    this.#options = options;
    void this.#open(); // never rejects
  }

  wait(need: TunnelNeed, handlers: PeerWaitHandlers): () => void {
    const id = (this.#lastId += 1);
    const wait: Wait = { context: encodeCallContext(need.context), handlers };
    this.#cancelLinger();
    this.#waits.set(id, wait);
    this.#say({ kind: "wait", id, context: wait.context });
    return () => {
      if (!this.#waits.delete(id)) return;
      this.#say({ kind: "leave", id });
      this.#linger();
    };
  }

  async #open(): Promise<void> {
    const { peers, tokens, clock, route, need } = this.#options;
    let lease: PeerLease | undefined;
    try {
      lease = await peers.lease(route);
      const token = tokens.sign(route.kasId, need.agentId);
      const metadata = needMetadataOf(need).set("authorization", [token]).set(HOP_METHOD_KEY, [need.method]);
      this.#openedMs = clock.now();
      this.#listen(lease, metadata);
      for (const [id, { context }] of this.#waits) this.#say({ kind: "wait", id, context });
      this.#linger();
    } catch (error) {
      lease?.release();
      this.#fail(error instanceof Error ? error.message : String(error));
    }
  }

  #listen(lease: PeerLease, metadata: ReadonlyMap<string, readonly string[]>): void {
    const { session } = lease;
    const grpc = new GrpcClientStream(
      { session, path: TUNNEL_WAITS_PATH, metadata, maxMessageBytes: MAX_WAIT_MESSAGE_BYTES },
      {
        message: (data) => this.#receive(data),
        end: ({ message }) => {
          lease.release();
          session.off("goaway", leave);
          if (this.#grpc === grpc) this.#broken(message);
        },
      },
    );
    // A kas that sends us away waits until its streams have ended: this one would never.
    const leave = (): void => grpc.cancel();
    session.once("goaway", leave);
    grpc.onDrain(() => grpc.resume());
    this.#grpc = grpc;
  }

  #receive(data: Uint8Array): void {
    let answer: WaitAnswer;
    try {
      answer = decodeWaitAnswer(data);
    } catch (error) {
      if (error instanceof Fault) reportPeerViolation({ ...this.#options, agentId: this.#options.need.agentId }, error);
      const grpc = this.#grpc;
      this.#fail("it sent something that is no answer");
      return grpc?.cancel();
    }
    const wait = this.#waits.get(answer.id);
    this.#waits.delete(answer.id);
    if (answer.kind === "ready") {
      if (wait) wait.handlers.ready(answer.ticket);
      else this.#say({ kind: "return", ticket: answer.ticket });
    } else wait?.handlers.refused(refusalFault(answer));
    this.#linger();
  }

  /** The stream has ended and we did not want that: once it was sound, another one takes its place. */
  #broken(message: string): void {
    this.#grpc = undefined;
    const sound = this.#options.clock.now() - this.#openedMs >= SOUND_MS;
    if (sound && this.#waits.size > 0)
      void this.#open(); // never rejects
    else this.#fail(message);
  }

  #fail(message: string): void {
    this.#finish();
    const waits = [...this.#waits.values()];
    this.#waits.clear();
    for (const { handlers } of waits) handlers.failed(message);
  }

  #linger(): void {
    this.#cancelLinger();
    if (this.#waits.size > 0 || this.#done || !this.#grpc) return;
    this.#cancelLinger = this.#options.clock.after(LINGER_MS, () => {
      const grpc = this.#grpc;
      this.#finish();
      grpc?.cancel();
    });
  }

  #finish(): void {
    if (this.#done) return;
    this.#done = true;
    this.#cancelLinger();
    this.#grpc = undefined;
    this.#options.onDone();
  }

  #say(request: WaitRequest): void {
    // What is not sent now is sent when the stream opens.
    const grpc = this.#grpc;
    // A kas that does not read is not heard either: its answers cannot make us keep more for it.
    if (grpc && !grpc.write([encodeWait(request)])) grpc.pause();
  }
}
