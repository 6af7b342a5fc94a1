import type { ClientHttp2Session } from "node:http2";

import { dialHttp2, keepAlive } from "@binnacle/grpc-wire";
import { Fault, type Clock, type Module } from "@binnacle/rpc";

import type { KasRoute } from "../agent-tracker/route-store.ts";

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

/** Connections to other kas: one per address, shared by all calls and kept. */
export class KasPeerPool implements Module {
  readonly name = "kas peer pool";
  readonly #options: KasPeerPoolOptions;
  readonly #sessions = new Map<string, Promise<ClientHttp2Session>>();
  /** Also those that were told to go away and still carry calls. */
  readonly #open = new Set<ClientHttp2Session>();
  readonly #unreachable = new Map<string, { readonly untilMs: number; readonly fault: Fault }>();

  constructor(options: KasPeerPoolOptions) {
    this.#options = options;
  }

  /**
   * A connection to a kas, over the first of its addresses that can be reached.
   *
   * @throws Fault `peer_unreachable` that names the addresses
   */
  async session(route: KasRoute): Promise<ClientHttp2Session> {
    let cause: unknown;
    for (const url of route.urls) {
      try {
        return await this.#sessionOf(url);
      } catch (error) {
        cause = error;
      }
    }
    const reason = cause instanceof Error ? cause.message : "it has no address";
    throw new Fault("peer_unreachable", reason, { cause, retryAfterSeconds: 1 });
  }

  /** Open connections. */
  get size(): number {
    return this.#sessions.size;
  }

  /** Closes all connections; calls over them were waited for before. */
  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => session.catch(() => undefined)));
    for (const session of this.#open) session.destroy();
  }

  #sessionOf(url: string): Promise<ClientHttp2Session> {
    const open = this.#sessions.get(url);
    if (open) return open;
    const unreachable = this.#unreachable.get(url);
    if (unreachable && unreachable.untilMs > this.#options.clock.now()) return Promise.reject(unreachable.fault);
    const dialling = this.#dial(url);
    this.#sessions.set(url, dialling);
    // An old connection that closes late must not take the new one with it.
    const forget = (): boolean => this.#sessions.get(url) === dialling && this.#sessions.delete(url);
    dialling.then((session) => session.once("goaway", forget).once("close", forget)).catch(forget);
    return dialling;
  }

  async #dial(url: string): Promise<ClientHttp2Session> {
    const { clock, ca, dialTimeoutMs } = this.#options;
    try {
      const session = await dialHttp2(url, { ca, timeoutMs: dialTimeoutMs ?? 3_000 });
      this.#unreachable.delete(url);
      this.#open.add(session);
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
