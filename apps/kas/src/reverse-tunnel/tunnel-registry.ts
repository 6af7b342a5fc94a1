import { Fault } from "@binnacle/rpc";

import type { CallContext } from "../agent-call/call-context.ts";
import type { Tunnel } from "./tunnel.ts";

/** What a caller needs of a tunnel. */
export interface TunnelNeed {
  readonly agentId: bigint;
  /** Full gRPC method, "/service/Method". */
  readonly method: string;
  /** Only an agent that can act as somebody else. */
  readonly impersonation?: boolean;
  /** A particular replica, by the id of its configuration stream. */
  readonly connectionId?: bigint;
  /** Who asks. */
  readonly context: CallContext;
}

/** What this kas has of an agent: nothing, tunnels that lack the method, only busy ones, or a free one. */
export type Presence = "absent" | "outdated" | "busy" | "free";

/** Limits of a registry. */
export interface TunnelRegistryOptions {
  /** Callers that may wait for one agent; more are refused at once. Default 1,000. */
  readonly maxWaitersPerAgent?: number;
}

interface Waiter {
  readonly need: TunnelNeed;
  readonly give: (tunnel: Tunnel) => void;
}

interface AgentTunnels {
  /** Every open tunnel, whatever it does. */
  readonly open: Set<Tunnel>;
  /** Ready tunnels by replica, newest last. */
  readonly idle: Map<string, Tunnel[]>;
  /** First come, first served. */
  readonly waiters: Set<Waiter>;
}

/**
 * The tunnels of this process and the callers that wait for one. Every method is synchronous: nobody interleaves. Each open
 * tunnel has one owner: this registry while it is ready, from then on the caller that reserved it.
 */
export class TunnelRegistry {
  readonly #agents = new Map<bigint, AgentTunnels>();
  readonly #replicas = new Map<bigint, { readonly agentId: bigint; readonly replica: string }>();
  readonly #presenceListeners = new Set<(agentId: bigint, present: boolean) => void>();
  readonly #maxWaiters: number;

  constructor(options: TunnelRegistryOptions = {}) {
    this.#maxWaiters = options.maxWaitersPerAgent ?? 1_000;
  }

  /** Takes a tunnel that is `ready`: the caller that has waited longest and can use it gets it, else it is kept idle. */
  add(tunnel: Tunnel): void {
    const agent = this.#agentOf(tunnel.agentId);
    agent.open.add(tunnel);
    if (agent.open.size === 1) this.#announce(tunnel.agentId, true);
    this.#offer(agent, tunnel);
  }

  /** The tunnel's stream is gone, in whatever state it was. */
  remove(tunnel: Tunnel): void {
    const agent = this.#agents.get(tunnel.agentId);
    if (!agent?.open.delete(tunnel)) return;
    this.#takeIdle(agent, tunnel);
    if (agent.open.size === 0) this.#announce(tunnel.agentId, false);
    this.#forgetIfEmpty(tunnel.agentId, agent);
  }

  /** A free tunnel, now reserved for the caller; `undefined` when there is none. */
  reserve(need: TunnelNeed): Tunnel | undefined {
    const agent = this.#agents.get(need.agentId);
    // Who came first is served first: while others wait for the same thing, nothing idle fits anyway.
    const tunnel = agent && this.#bestIdle(agent, need);
    if (!agent || !tunnel) return undefined;
    this.#takeIdle(agent, tunnel);
    tunnel.reserve();
    return tunnel;
  }

  /**
   * Waits for a tunnel. `give` is called once, with a reserved tunnel, unless the wait is taken back before.
   *
   * @returns takes the wait back
   * @throws Fault `queue_full`
   */
  wait(need: TunnelNeed, give: (tunnel: Tunnel) => void): () => void {
    const agent = this.#agentOf(need.agentId);
    if (agent.waiters.size >= this.#maxWaiters) {
      throw new Fault("queue_full", `${agent.waiters.size} callers wait for agent ${need.agentId} already`, { retryAfterSeconds: 1 });
    }
    const waiter: Waiter = { need, give };
    agent.waiters.add(waiter);
    return () => {
      agent.waiters.delete(waiter);
      this.#forgetIfEmpty(need.agentId, agent);
    };
  }

  /** Gives back a tunnel that was reserved and not used: it is as good as new. */
  release(tunnel: Tunnel): void {
    const agent = this.#agents.get(tunnel.agentId);
    if (!agent?.open.has(tunnel) || !tunnel.unreserve()) return;
    this.#offer(agent, tunnel);
  }

  /** What this kas has for a caller. */
  presence(need: TunnelNeed): Presence {
    const agent = this.#agents.get(need.agentId);
    if (!agent || agent.open.size === 0) return "absent";
    if (this.#bestIdle(agent, need)) return "free";
    const replica = this.#replicaOf(need);
    let outdated = false;
    for (const tunnel of agent.open) {
      if (replica !== undefined && tunnel.replica !== replica) continue;
      if (tunnel.serves(need)) return "busy";
      outdated = true;
    }
    return outdated ? "outdated" : "absent";
  }

  /** Says which replica a configuration stream belongs to, so that callers can ask for it by connection id. */
  bindConnection(connection: { readonly agentId: bigint; readonly connectionId: bigint; readonly replica: string }): void {
    this.#replicas.set(connection.connectionId, { agentId: connection.agentId, replica: connection.replica });
    const agent = this.#agents.get(connection.agentId);
    const idle = agent ? [...(agent.idle.get(connection.replica) ?? [])] : [];
    for (const tunnel of idle) {
      if (!agent || ![...agent.waiters].some((waiter) => this.#fits(tunnel, waiter.need))) continue;
      this.#takeIdle(agent, tunnel);
      this.#offer(agent, tunnel);
    }
  }

  unbindConnection(connectionId: bigint): void {
    this.#replicas.delete(connectionId);
  }

  /** Called when the first tunnel of an agent opens (true) and when the last one closes (false). */
  onPresence(listener: (agentId: bigint, present: boolean) => void): () => void {
    this.#presenceListeners.add(listener);
    return () => this.#presenceListeners.delete(listener);
  }

  /** Figures for gauges; all are zero when nothing is connected and nobody waits. */
  counts(): {
    readonly agents: number;
    readonly open: number;
    readonly idle: number;
    readonly waiting: number;
    readonly connections: number;
  } {
    let open = 0;
    let idle = 0;
    let waiting = 0;
    // A request that waits for an absent agent makes nobody connected; a stream without a tunnel does.
    const connected = new Set([...this.#replicas.values()].map(({ agentId }) => agentId));
    for (const [agentId, agent] of this.#agents) {
      if (agent.open.size > 0) connected.add(agentId);
      open += agent.open.size;
      for (const tunnels of agent.idle.values()) idle += tunnels.length;
      waiting += agent.waiters.size;
    }
    return { agents: connected.size, open, idle, waiting, connections: this.#replicas.size };
  }

  #offer(agent: AgentTunnels, tunnel: Tunnel): void {
    for (const waiter of agent.waiters) {
      if (!this.#fits(tunnel, waiter.need)) continue;
      agent.waiters.delete(waiter);
      tunnel.reserve();
      waiter.give(tunnel);
      return;
    }
    const idle = agent.idle.get(tunnel.replica);
    if (idle) idle.push(tunnel);
    else agent.idle.set(tunnel.replica, [tunnel]);
  }

  /** The newest fitting tunnel (old ones may expire at the agent) of the replica with the fewest calls. */
  #bestIdle(agent: AgentTunnels, need: TunnelNeed): Tunnel | undefined {
    let best: Tunnel | undefined;
    let bestBusy = Number.POSITIVE_INFINITY;
    for (const tunnels of agent.idle.values()) {
      const tunnel = tunnels.findLast((candidate) => this.#fits(candidate, need));
      if (!tunnel) continue;
      const busy = agent.idle.size === 1 ? 0 : busyOf(agent, tunnel.replica);
      if (busy < bestBusy) [best, bestBusy] = [tunnel, busy];
    }
    return best;
  }

  #fits(tunnel: Tunnel, need: TunnelNeed): boolean {
    if (!tunnel.serves(need)) return false;
    return need.connectionId === undefined || this.#replicaOf(need) === tunnel.replica;
  }

  /** `undefined` when any replica will do, and when the connection is not one of ours (then no tunnel fits). */
  #replicaOf(need: TunnelNeed): string | undefined {
    if (need.connectionId === undefined) return undefined;
    const bound = this.#replicas.get(need.connectionId);
    return bound?.agentId === need.agentId ? bound.replica : NO_REPLICA;
  }

  #takeIdle(agent: AgentTunnels, tunnel: Tunnel): void {
    const idle = agent.idle.get(tunnel.replica);
    const at = idle?.lastIndexOf(tunnel) ?? -1;
    if (!idle || at < 0) return;
    idle.splice(at, 1);
    if (idle.length === 0) agent.idle.delete(tunnel.replica);
  }

  #agentOf(agentId: bigint): AgentTunnels {
    const known = this.#agents.get(agentId);
    if (known) return known;
    const agent: AgentTunnels = { open: new Set(), idle: new Map(), waiters: new Set() };
    this.#agents.set(agentId, agent);
    return agent;
  }

  #forgetIfEmpty(agentId: bigint, agent: AgentTunnels): void {
    if (agent.open.size === 0 && agent.waiters.size === 0 && this.#agents.get(agentId) === agent) this.#agents.delete(agentId);
  }

  #announce(agentId: bigint, present: boolean): void {
    for (const listener of this.#presenceListeners) listener(agentId, present);
  }
}

/** No tunnel has this replica: real ones begin with a letter and a colon. */
const NO_REPLICA = "";

function busyOf(agent: AgentTunnels, replica: string): number {
  let busy = 0;
  for (const tunnel of agent.open) if (tunnel.replica === replica && tunnel.state !== "ready") busy += 1;
  return busy;
}
