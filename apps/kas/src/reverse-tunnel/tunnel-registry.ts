import { Fault } from "@binnacle/rpc";

import type { WatchBudget } from "../agent-call/agent-call.ts";
import type { Caller } from "../agent-call/call-context.ts";
import type { CountedCall } from "./agent-shares.ts";
import { AgentTunnels, type Presence, type TunnelNeed } from "./agent-tunnels.ts";
import type { Tunnel } from "./tunnel.ts";

/** Limits of a registry. */
export interface TunnelRegistryOptions {
  /** Callers that may wait for one agent; more are refused at once. Default 1,000. */
  readonly maxWaitersPerAgent?: number;
  /** Of those, calls of one caller while the agent is connected here. Default 100; half of all while it is not. */
  readonly maxWaitersPerCaller?: number;
}

interface Waiter {
  readonly need: TunnelNeed;
  readonly give: (tunnel: Tunnel) => void;
  readonly refuse: (fault: Fault) => void;
  counted: CountedCall;
}

interface Agent {
  readonly tunnels: AgentTunnels;
  /** The longest wait is first. */
  readonly waiters: Set<Waiter>;
  announced: boolean;
}

/**
 * The tunnels of this process and the callers that wait for one. Every method is synchronous, so calls do not interleave. Each open
 * tunnel has one owner: this registry while it is ready, from then on the caller that reserved it. Calls are counted by caller, from
 * the reservation until the tunnel is gone or given back.
 */
export class TunnelRegistry {
  readonly #agents = new Map<bigint, Agent>();
  readonly #agentOfConnection = new Map<bigint, bigint>();
  readonly #presenceListeners = new Set<(agentId: bigint, present: boolean) => void>();
  readonly #maxWaiters: number;
  readonly #maxWaitersPerCaller: number;

  constructor(options: TunnelRegistryOptions = {}) {
    this.#maxWaiters = options.maxWaitersPerAgent ?? 1_000;
    this.#maxWaitersPerCaller = options.maxWaitersPerCaller ?? 100;
  }

  /** Takes a tunnel that is `ready`: the waiting caller whose turn it is gets it, else it is kept idle. */
  add(tunnel: Tunnel): void {
    const agent = this.#agentOf(tunnel.agentId);
    const limitsChanged = agent.tunnels.add(tunnel);
    this.#announce(tunnel.agentId, agent);
    if (limitsChanged) this.#refuseBeyondLimits(agent);
    this.#offer(agent, tunnel);
  }

  /** The tunnel's stream is gone, in whatever state it was. */
  remove(tunnel: Tunnel): void {
    const agent = this.#agents.get(tunnel.agentId);
    if (!agent?.tunnels.remove(tunnel)) return;
    this.#announce(tunnel.agentId, agent);
    this.#forgetIfEmpty(tunnel.agentId, agent);
  }

  /**
   * A free tunnel, now reserved for the caller; `undefined` when there is none.
   *
   * @throws Fault `watch_limit`, `share_exceeded` when there is one, but not for one more watch
   */
  reserve(need: TunnelNeed): Tunnel | undefined {
    const tunnels = this.#agents.get(need.agentId)?.tunnels;
    // Who came first is served first: while others wait for the same thing, nothing idle fits anyway.
    const tunnel = tunnels?.bestIdle(need);
    if (!tunnels || !tunnel) return undefined;
    admit(tunnels, need);
    return tunnels.reserve(tunnel, need.context);
  }

  /**
   * Waits for a tunnel. One of `give` (with a reserved tunnel) and `refuse` is called, once and never before this returns, unless the
   * wait is taken back before.
   *
   * @returns takes the wait back
   * @throws Fault `queue_full`, `watch_limit`, `share_exceeded`
   */
  wait(need: TunnelNeed, give: (tunnel: Tunnel) => void, refuse: (fault: Fault) => void = () => {}): () => void {
    const agent = this.#agentOf(need.agentId);
    const { tunnels, waiters } = agent;
    try {
      this.#admitWaiter(agent, need);
    } catch (error) {
      this.#forgetIfEmpty(need.agentId, agent);
      throw error;
    }
    const waiter: Waiter = { need, give, refuse, counted: tunnels.shares.enter(need.context, "waiting") };
    waiters.add(waiter);
    return () => {
      this.#takeWaiter(agent, waiter);
      this.#forgetIfEmpty(need.agentId, agent);
    };
  }

  /** Gives back a tunnel that was reserved and not used: it is as good as new. */
  release(tunnel: Tunnel): void {
    const agent = this.#agents.get(tunnel.agentId);
    if (!agent?.tunnels.has(tunnel) || !tunnel.unreserve()) return;
    agent.tunnels.endCall(tunnel);
    this.#offer(agent, tunnel);
  }

  /** What this kas has for a caller. */
  presence(need: TunnelNeed): Presence {
    return this.#agents.get(need.agentId)?.tunnels.presence(need) ?? "absent";
  }

  /** Callers wait for a tunnel of the agent. */
  isShort(agentId: bigint): boolean {
    return (this.#agents.get(agentId)?.waiters.size ?? 0) > 0;
  }

  /** How many watches the agent carries on purpose, and how many more the caller may begin; `undefined` when it has no tunnel here. */
  watchBudget(agentId: bigint, caller: Caller): WatchBudget | undefined {
    const tunnels = this.#agents.get(agentId)?.tunnels;
    const limits = tunnels?.limits;
    return tunnels && limits && tunnels.shares.budget(caller, limits);
  }

  /** Says which replica a configuration stream belongs to, so that callers can ask for it by connection id. */
  bindConnection(connection: { readonly agentId: bigint; readonly connectionId: bigint; readonly replica: string }): void {
    const { agentId, connectionId, replica } = connection;
    const agent = this.#agentOf(agentId);
    this.#agentOfConnection.set(connectionId, agentId);
    agent.tunnels.connections.set(connectionId, replica);
    this.#announce(agentId, agent);
    this.#offerIdle(agent, agent.tunnels.idleOf(replica));
  }

  /** Something else is known of what the agent can do: its idle tunnels may serve callers that wait. */
  abilitiesChanged(agentId: bigint): void {
    const agent = this.#agents.get(agentId);
    if (agent) this.#offerIdle(agent, agent.tunnels.allIdle());
  }

  unbindConnection(connectionId: bigint): void {
    const agentId = this.#agentOfConnection.get(connectionId);
    const agent = agentId === undefined ? undefined : this.#agents.get(agentId);
    this.#agentOfConnection.delete(connectionId);
    if (agentId === undefined || !agent) return;
    agent.tunnels.connections.delete(connectionId);
    this.#announce(agentId, agent);
    this.#forgetIfEmpty(agentId, agent);
  }

  /** Called when an agent comes (its first tunnel or configuration stream: true) and when nothing of it is left (false). */
  onPresence(listener: (agentId: bigint, present: boolean) => void): () => void {
    this.#presenceListeners.add(listener);
    return () => this.#presenceListeners.delete(listener);
  }

  /** Figures for gauges; all are zero when nothing is connected and no caller waits. `agents` are those that are connected. */
  counts(): {
    readonly agents: number;
    readonly open: number;
    readonly idle: number;
    readonly waiting: number;
    readonly connections: number;
  } {
    const counts = { agents: 0, open: 0, idle: 0, waiting: 0, connections: this.#agentOfConnection.size };
    for (const { tunnels, waiters } of this.#agents.values()) {
      if (tunnels.connected) counts.agents += 1;
      counts.open += tunnels.open;
      counts.idle += tunnels.idle;
      counts.waiting += waiters.size;
    }
    return counts;
  }

  #admitWaiter({ tunnels, waiters }: Agent, need: TunnelNeed): void {
    if (waiters.size >= this.#maxWaiters) {
      throw new Fault("queue_full", `${waiters.size} callers wait for agent ${need.agentId} already`, { retryAfterSeconds: 1 });
    }
    const own = tunnels.shares.waitingOf(need.context.caller);
    // While the agent is not here these are mostly questions to other kas, answered in a moment; that kas counts those that wait.
    const most = tunnels.connected ? this.#maxWaitersPerCaller : Math.max(this.#maxWaitersPerCaller, this.#maxWaiters / 2);
    if (own >= most) {
      throw new Fault("queue_full", `${own} of your requests wait for agent ${need.agentId} already`, { retryAfterSeconds: 1 });
    }
    admit(tunnels, need);
  }

  #offer(agent: Agent, tunnel: Tunnel): void {
    const waiter = this.#nextWaiter(agent, tunnel);
    if (waiter) this.#give(agent, { waiter, tunnel });
    else agent.tunnels.keepIdle(tunnel);
  }

  #offerIdle(agent: Agent, idle: readonly Tunnel[]): void {
    for (const tunnel of idle) {
      const waiter = this.#nextWaiter(agent, tunnel);
      if (waiter) this.#give(agent, { waiter, tunnel });
    }
  }

  /** Whose turn it is: the caller with the fewest running calls; of equals who has waited longest. */
  #nextWaiter(agent: Agent, tunnel: Tunnel): Waiter | undefined {
    let next: Waiter | undefined;
    for (const waiter of agent.waiters) {
      if (next && waiter.counted.runningOfCaller >= next.counted.runningOfCaller) continue;
      if (!agent.tunnels.fits(tunnel, waiter.need)) continue;
      next = waiter;
      if (waiter.counted.runningOfCaller === 0) break;
    }
    return next;
  }

  #give(agent: Agent, { waiter, tunnel }: { readonly waiter: Waiter; readonly tunnel: Tunnel }): void {
    this.#takeWaiter(agent, waiter);
    waiter.give(agent.tunnels.reserve(tunnel, waiter.need.context));
  }

  /** Watches may have waited for an agent of unknown kind: those beyond its limits are rejected instead of waiting on. */
  #refuseBeyondLimits(agent: Agent): void {
    const { limits, shares } = agent.tunnels;
    if (!limits) return;
    const waiters = [...agent.waiters];
    const refused: (() => void)[] = [];
    for (const waiter of waiters) this.#takeWaiter(agent, waiter);
    for (const waiter of waiters) {
      const { agentId, context } = waiter.need;
      const refusal = shares.refusal(agentId, context, limits);
      if (refusal) refused.push(() => waiter.refuse(refusal));
      else {
        waiter.counted = shares.enter(context, "waiting");
        agent.waiters.add(waiter);
      }
    }
    // Last, because a rejected caller may retry at once, or cancel other waits.
    for (const refuse of refused) refuse();
  }

  #takeWaiter(agent: Agent, waiter: Waiter): void {
    agent.waiters.delete(waiter);
    waiter.counted.leave();
  }

  #agentOf(agentId: bigint): Agent {
    const known = this.#agents.get(agentId);
    if (known) return known;
    const agent: Agent = { tunnels: new AgentTunnels(), waiters: new Set(), announced: false };
    this.#agents.set(agentId, agent);
    return agent;
  }

  #forgetIfEmpty(agentId: bigint, agent: Agent): void {
    if (!agent.tunnels.connected && agent.waiters.size === 0 && this.#agents.get(agentId) === agent) this.#agents.delete(agentId);
  }

  #announce(agentId: bigint, agent: Agent): void {
    const present = agent.tunnels.connected;
    if (agent.announced === present) return;
    agent.announced = present;
    for (const listener of this.#presenceListeners) listener(agentId, present);
  }
}

/** @throws Fault `watch_limit`, `share_exceeded` */
function admit(tunnels: AgentTunnels, need: TunnelNeed): void {
  const { limits } = tunnels;
  const refusal = limits && tunnels.shares.refusal(need.agentId, need.context, limits);
  if (refusal) throw refusal;
}
