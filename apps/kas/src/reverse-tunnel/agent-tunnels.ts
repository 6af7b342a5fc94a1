import { Slots } from "@binnacle/rpc";

import type { CallContext } from "../agent-call/call-context.ts";
import { AgentShares } from "./agent-shares.ts";
import type { Tunnel } from "./tunnel.ts";
import { watchLimitsOf, type WatchLimits } from "./watch-limits.ts";

/** What a caller needs of a tunnel. */
export interface TunnelNeed {
  readonly agentId: bigint;
  /** Full gRPC method, "/service/Method". */
  readonly method: string;
  /** Only an agent that can impersonate users. */
  readonly impersonation?: boolean;
  /** Only an agent that can upgrade connections to its Kubernetes API. */
  readonly upgrade?: boolean;
  /** A particular replica, by the id of its configuration stream. */
  readonly connectionId?: bigint;
  /** Who asks. */
  readonly context: CallContext;
}

/** Why an agent that is connected will not serve a caller, however long the wait. */
export type PermanentCause = "cannot_impersonate" | "cannot_upgrade" | "unknown_method" | "replica_not_addressable";

/** What this kas has of an agent: nothing, a free tunnel, only busy ones, or none that will ever do. */
export type Presence = "absent" | "free" | "busy" | PermanentCause;

interface Replica {
  readonly maximum: number | undefined;
  open: number;
  /** Ready tunnels, newest last. */
  readonly idle: Tunnel[];
}

/** The tunnels of one agent on this kas, and what is done with them. */
export class AgentTunnels {
  readonly shares = new AgentShares();
  /** The replica behind each live configuration stream, by connection id. */
  readonly connections = new Map<bigint, string>();
  readonly #open = new Slots<Tunnel>();
  readonly #replicas = new Map<string, Replica>();
  /** Of the replicas that are connected now, computed on first use. */
  #limits: WatchLimits | undefined;

  get open(): number {
    return this.#open.size;
  }

  get idle(): number {
    let idle = 0;
    for (const replica of this.#replicas.values()) idle += replica.idle.length;
    return idle;
  }

  /** A live configuration stream counts: all tunnels may hang in calls, or be about to open. */
  get connected(): boolean {
    return this.#open.size > 0 || this.connections.size > 0;
  }

  /** `undefined` before the first tunnel, because the kind of agent is unknown until then. */
  get limits(): WatchLimits | undefined {
    if (this.#replicas.size === 0) return undefined;
    this.#limits ??= watchLimitsOf([...this.#replicas.values()].map((replica) => replica.maximum));
    return this.#limits;
  }

  has(tunnel: Tunnel): boolean {
    return tunnel.registration !== undefined && this.#open.has(tunnel.registration.slot);
  }

  /** @returns whether it is the first of its replica */
  add(tunnel: Tunnel): boolean {
    tunnel.registration = { slot: this.#open.add(tunnel), call: undefined };
    const known = this.#replicas.get(tunnel.replica);
    if (known) known.open += 1;
    else {
      this.#replicas.set(tunnel.replica, { maximum: tunnel.poolMaximum, open: 1, idle: [] });
      this.#limits = undefined;
    }
    return known === undefined;
  }

  /** @returns false when it was not here */
  remove(tunnel: Tunnel): boolean {
    if (tunnel.registration === undefined || !this.#open.remove(tunnel.registration.slot)) return false;
    this.#takeIdle(tunnel);
    this.endCall(tunnel);
    tunnel.registration = undefined;
    const replica = this.#replicas.get(tunnel.replica);
    if (replica) replica.open -= 1;
    if (replica?.open === 0) {
      this.#replicas.delete(tunnel.replica);
      this.#limits = undefined;
    }
    return true;
  }

  keepIdle(tunnel: Tunnel): void {
    this.#replicas.get(tunnel.replica)?.idle.push(tunnel);
  }

  /** A copy: all that are idle now. */
  allIdle(): readonly Tunnel[] {
    return [...this.#replicas.values()].flatMap(({ idle }) => idle);
  }

  /** A copy: what is idle now. */
  idleOf(replica: string): readonly Tunnel[] {
    return this.#replicas.get(replica)?.idle.slice() ?? [];
  }

  /** Reserves a ready tunnel for a caller; from now on it counts as one of its calls. */
  reserve(tunnel: Tunnel, context: CallContext): Tunnel {
    this.#takeIdle(tunnel);
    tunnel.reserve();
    if (tunnel.registration) tunnel.registration.call = this.shares.enter(context, "running");
    return tunnel;
  }

  endCall(tunnel: Tunnel): void {
    const { registration } = tunnel;
    registration?.call?.leave();
    if (registration) registration.call = undefined;
  }

  /** The newest fitting tunnel (old ones may expire at the agent) of the replica with the fewest calls. */
  bestIdle(need: TunnelNeed): Tunnel | undefined {
    let best: Tunnel | undefined;
    let bestBusy = Number.POSITIVE_INFINITY;
    for (const replica of this.#replicas.values()) {
      const busy = replica.open - replica.idle.length;
      if (busy >= bestBusy) continue;
      const tunnel = this.#newestIdle(replica, need);
      if (tunnel === undefined) continue;
      best = tunnel;
      bestBusy = busy;
    }
    return best;
  }

  fits(tunnel: Tunnel, need: TunnelNeed): boolean {
    if (!tunnel.serves(need)) return false;
    return need.connectionId === undefined || this.connections.get(need.connectionId) === tunnel.replica;
  }

  presence(need: TunnelNeed): Presence {
    if (!this.connected) return "absent";
    if (this.bestIdle(need)) return "free";
    const replica = need.connectionId === undefined ? undefined : this.connections.get(need.connectionId);
    if (need.connectionId !== undefined && replica === undefined) return "replica_not_addressable";
    let cause: PermanentCause | undefined;
    for (const tunnel of this.#open.values()) {
      if (replica !== undefined && tunnel.replica !== replica) continue;
      if (tunnel.serves(need)) return "busy";
      // Another replica may have a better cause: of two causes the one that is nearer to success is reported.
      if (!tunnel.serves({ method: need.method })) cause ??= "unknown_method";
      else if (cause !== "cannot_upgrade") cause = tunnel.serves({ ...need, upgrade: false }) ? "cannot_upgrade" : "cannot_impersonate";
    }
    return cause ?? "busy";
  }

  #newestIdle({ idle }: Replica, need: TunnelNeed): Tunnel | undefined {
    for (let at = idle.length - 1; at >= 0; at -= 1) {
      const tunnel = idle[at];
      if (tunnel !== undefined && this.fits(tunnel, need)) return tunnel;
    }
    return undefined;
  }

  #takeIdle(tunnel: Tunnel): void {
    const idle = this.#replicas.get(tunnel.replica)?.idle;
    const at = idle?.lastIndexOf(tunnel) ?? -1;
    if (idle === undefined || at < 0) return;
    // Nearly always the newest: taking that makes no list of what was taken.
    if (at === idle.length - 1) idle.pop();
    else idle.splice(at, 1);
  }
}
