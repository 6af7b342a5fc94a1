import { randomUUID } from "node:crypto";

import type { Clock } from "@binnacle/rpc";

import type { TunnelNeed } from "../reverse-tunnel/agent-tunnels.ts";
import type { TunnelRegistry } from "../reverse-tunnel/tunnel-registry.ts";
import type { Tunnel } from "../reverse-tunnel/tunnel.ts";

/** How long a tunnel is kept for a kas that does not come for it. */
const HELD_MS = 5_000;

interface Held {
  readonly tunnel: Tunnel;
  readonly owner: Set<string>;
  readonly cancelTimer: () => void;
}

/** Tunnels that are reserved for other kas: each for the call that names its ticket, for a few seconds. */
export class HeldTunnels {
  readonly #registry: TunnelRegistry;
  readonly #clock: Clock;
  readonly #held = new Map<string, Held>();

  constructor(registry: TunnelRegistry, clock: Clock) {
    this.#registry = registry;
    this.#clock = clock;
  }

  get size(): number {
    return this.#held.size;
  }

  /** @param owner has the returned ticket for as long as the tunnel is kept */
  hold(tunnel: Tunnel, owner: Set<string>): string {
    const ticket = randomUUID();
    owner.add(ticket);
    this.#held.set(ticket, { tunnel, owner, cancelTimer: this.#clock.after(HELD_MS, () => this.giveBack(ticket)) });
    tunnel.onLost(() => this.#take(ticket));
    return ticket;
  }

  /** The tunnel behind a ticket, still reserved; `undefined` when it is lost, was given back, or is for another agent or method. */
  claim(ticket: string, need: TunnelNeed): Tunnel | undefined {
    const tunnel = this.#held.get(ticket)?.tunnel;
    if (tunnel?.agentId !== need.agentId || !tunnel.serves(need)) return undefined;
    this.#take(ticket);
    return tunnel;
  }

  giveBack(ticket: string): void {
    const tunnel = this.#take(ticket);
    if (tunnel) this.#registry.release(tunnel);
  }

  #take(ticket: string): Tunnel | undefined {
    const held = this.#held.get(ticket);
    held?.cancelTimer();
    held?.owner.delete(ticket);
    this.#held.delete(ticket);
    return held?.tunnel;
  }
}
