import type { ClientHttp2Session } from "node:http2";

import { dialHttp2, keepAlive } from "@binnacle/grpc-wire";
import { Fault, type Clock, type Module } from "@binnacle/rpc";

import type { KasRoute } from "../agent-tracker/route-store.ts";
import { PeerSessions, type PeerLease } from "./peer-sessions.ts";

/** How to reach other kas. */
export interface KasPeerPoolOptions {
  readonly clock: Clock;
  /** PEM text of the authorities that sign the internal listeners of other kas. */
  readonly ca?: string;
  /** Time a connection may take; default 3 s. */
  readonly dialTimeoutMs?: number;
}

const PING_MS = 10_000;
/** A kas that could not be reached is not dialled again for this long, however many callers want it. */
const REST_MS = 500;
const MAX_PEERS = 1_000;

/** Connections to other kas: as many per address as its calls need, shared by all calls and kept. */
export class KasPeerPool implements Module {
  readonly name = "kas peer pool";
  readonly #options: KasPeerPoolOptions;
  readonly #peers = new Map<string, PeerSessions>();
  /** Includes those that received GOAWAY and still carry calls. */
  readonly #open = new Set<ClientHttp2Session>();
  readonly #unreachable = new Map<string, { readonly untilMs: number; readonly fault: Fault }>();
  readonly #closed = new AbortController();

  constructor(options: KasPeerPoolOptions) {
    this.#options = options;
  }

  /**
   * A place for one stream on a connection to a kas, over the first of its addresses that can be reached.
   *
   * @throws Fault `peer_unreachable` that names the addresses: for the log, not for callers
   */
  async lease(route: KasRoute): Promise<PeerLease> {
    let cause: unknown;
    for (const url of route.urls) {
      try {
        return await this.#peerOf(url).lease();
      } catch (error) {
        cause = error;
      }
    }
    const reason = cause instanceof Error ? cause.message : "it has no address";
    throw new Fault("peer_unreachable", reason, { cause });
  }

  /** Addresses with open connections. */
  get size(): number {
    return [...this.#peers.values()].filter((peer) => peer.counts().sessions > 0).length;
  }

  /** Figures for gauges: connections, streams on them, and streams that wait because the other kas allows no more. */
  counts(): { readonly sessions: number; readonly open: number; readonly queued: number } {
    const counts = { sessions: 0, open: 0, queued: 0 };
    for (const peer of this.#peers.values()) {
      const own = peer.counts();
      counts.sessions += own.sessions;
      counts.open += own.open;
      counts.queued += own.queued;
    }
    return counts;
  }

  /** Closes all connections, and those that are being opened; calls over them were waited for before. */
  async close(): Promise<void> {
    this.#closed.abort();
    for (const session of this.#open) session.destroy();
  }

  #peerOf(url: string): PeerSessions {
    const known = this.#peers.get(url);
    if (known) return known;
    if (this.#peers.size >= MAX_PEERS) for (const [old, peer] of this.#peers) if (peer.unused) this.#peers.delete(old);
    const peer = new PeerSessions(() => this.#dial(url));
    this.#peers.set(url, peer);
    return peer;
  }

  async #dial(url: string): Promise<ClientHttp2Session> {
    const { clock, ca, dialTimeoutMs } = this.#options;
    const unreachable = this.#unreachable.get(url);
    if (unreachable && unreachable.untilMs > clock.now()) throw unreachable.fault;
    try {
      const session = await dialHttp2(url, { ca, timeoutMs: dialTimeoutMs ?? 3_000, signal: this.#closed.signal });
      if (this.#closed.signal.aborted) {
        session.destroy();
        throw new Fault("shutting_down", "this kas is stopping");
      }
      this.#unreachable.delete(url);
      this.#open.add(session);
      session.setMaxListeners(0); // each agent that is waited for listens to it
      session.on("error", () => undefined); // "close" follows, and every stream of it says so
      session.once("close", () => this.#open.delete(session));
      keepAlive(session, { clock, intervalMs: PING_MS, timeoutMs: PING_MS });
      return session;
    } catch (error) {
      const fault = error instanceof Fault ? error : new Fault("peer_unreachable", `cannot reach ${url}`, { cause: error });
      if (this.#unreachable.size >= MAX_PEERS) this.#unreachable.clear();
      this.#unreachable.set(url, { untilMs: clock.now() + REST_MS, fault });
      throw fault;
    }
  }
}
