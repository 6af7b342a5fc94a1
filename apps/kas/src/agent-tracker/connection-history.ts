import { create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { ConnectedAgentInfo } from "@binnacle/proto/agent-tracker";
import { AgentConnectionSchema, type AgentConnection } from "@binnacle/proto/kas-agents";
import { toTimestamp } from "@binnacle/proto/wire-values";
import type { Clock } from "@binnacle/rpc";

/** Connections of one agent that are retained. */
export const MAX_CONNECTIONS_OF_HISTORY = 200;
/** How long a connection is retained after it began or ended. */
export const HISTORY_MS = 24 * 60 * 60_000;

/** Connections of an agent, and since when none is missing. */
export interface HistoryOfAgent {
  /** By the time of their last event, newest first. */
  readonly connections: readonly AgentConnection[];
  /** Milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** Which agentk processes were connected, of every kas: at most 200 connections and 24 hours of each agent. */
export interface ConnectionHistory {
  /** A configuration stream was opened at this kas. Synchronous: the store is written behind it. */
  connected(info: ConnectedAgentInfo): void;
  disconnected(info: ConnectedAgentInfo): void;
  /** @throws Fault `store_unavailable` */
  of(agentId: bigint): Promise<HistoryOfAgent>;
  /** @param listener called when an agent connects or disconnects at any kas; a call may be missed @returns takes it back */
  onChange(agentId: bigint, listener: () => void): () => void;
}

/** A connection that begins, or, with `endedMs`, has ended. */
export function connectionOf(info: ConnectedAgentInfo, kas: string, endedMs?: number): AgentConnection {
  const { connectionId, connectedAt, agentMeta } = info;
  return create(AgentConnectionSchema, {
    connectionId,
    kas,
    ...(connectedAt && { connectedAt }),
    ...(endedMs !== undefined && { disconnectedAt: toTimestamp(endedMs) }),
    podNamespace: agentMeta?.podNamespace ?? "",
    podName: agentMeta?.podName ?? "",
    version: agentMeta?.version ?? "",
  });
}

/** The time of a connection's last event, milliseconds since the epoch. */
export function lastEventMs({ connectedAt, disconnectedAt }: AgentConnection): number {
  const at = disconnectedAt ?? connectedAt;
  return at === undefined ? 0 : timestampMs(at);
}

/**
 * Since when a list of connections is complete.
 *
 * @param connections newest first, within the limits @param begunMs when recording began
 */
export function completeSince(connections: readonly AgentConnection[], begunMs: number, nowMs: number): number {
  const oldest = connections.length >= MAX_CONNECTIONS_OF_HISTORY ? connections.at(-1) : undefined;
  return Math.min(nowMs, Math.max(begunMs, nowMs - HISTORY_MS, oldest === undefined ? 0 : lastEventMs(oldest)));
}

/** Listeners by agent. */
export class AgentListeners {
  readonly #byAgent = new Map<bigint, Set<() => void>>();

  add(agentId: bigint, listener: () => void): () => void {
    const own = this.#byAgent.get(agentId) ?? new Set();
    this.#byAgent.set(agentId, own.add(listener));
    return () => {
      own.delete(listener);
      if (own.size === 0 && this.#byAgent.get(agentId) === own) this.#byAgent.delete(agentId);
    };
  }

  notify(agentId: bigint): void {
    for (const listener of this.#byAgent.get(agentId) ?? []) listener();
  }

  notifyAll(): void {
    for (const agentId of this.#byAgent.keys()) this.notify(agentId);
  }
}

/** Agents whose history a kas without Redis retains; the one without events for the longest time is dropped first. */
const MAX_AGENTS = 10_000;

/** The history of a kas that is alone: it begins with the process. */
export class MemoryConnectionHistory implements ConnectionHistory {
  readonly #byAgent = new Map<bigint, readonly AgentConnection[]>();
  readonly #listeners = new AgentListeners();
  readonly #clock: Clock;
  readonly #kas: string;
  #begunMs: number;

  /** @param kas name of this kas */
  constructor(clock: Clock, kas: string) {
    this.#clock = clock;
    this.#kas = kas;
    this.#begunMs = clock.now();
  }

  connected(info: ConnectedAgentInfo): void {
    this.#add(info, connectionOf(info, this.#kas));
  }

  disconnected(info: ConnectedAgentInfo): void {
    this.#add(info, connectionOf(info, this.#kas, this.#clock.now()));
  }

  async of(agentId: bigint): Promise<HistoryOfAgent> {
    const connections = this.#recent(agentId);
    return { connections, sinceMs: completeSince(connections, this.#begunMs, this.#clock.now()) };
  }

  onChange(agentId: bigint, listener: () => void): () => void {
    return this.#listeners.add(agentId, listener);
  }

  #add({ agentId }: ConnectedAgentInfo, connection: AgentConnection): void {
    const others = this.#recent(agentId).filter(({ connectionId }) => connectionId !== connection.connectionId);
    this.#byAgent.delete(agentId);
    this.#byAgent.set(agentId, [connection, ...others].slice(0, MAX_CONNECTIONS_OF_HISTORY));
    const [first] = this.#byAgent.keys();
    if (this.#byAgent.size > MAX_AGENTS && first !== undefined) {
      this.#byAgent.delete(first);
      this.#begunMs = this.#clock.now();
    }
    this.#listeners.notify(agentId);
  }

  #recent(agentId: bigint): readonly AgentConnection[] {
    const afterMs = this.#clock.now() - HISTORY_MS;
    return (this.#byAgent.get(agentId) ?? []).filter((connection) => lastEventMs(connection) > afterMs);
  }
}
