/** A kas that holds tunnels of an agent. */
export interface KasRoute {
  /** Random id of that process. */
  readonly kasId: string;
  /** Its internal listener, `grpc://host:port` or `grpcs://host:port`; several: the first that can be reached. */
  readonly urls: readonly string[];
  /** It drains: used only when no other kas has the agent. */
  readonly draining: boolean;
  /** When the agent came to it, in milliseconds of its own clock: of two entries of one kas the later one holds. */
  readonly epoch: number;
}

/** Which kas holds tunnels of which agent. */
export interface RouteStore {
  /** This kas now holds tunnels of the agent. Synchronous: the store is written behind it. */
  publish(agentId: bigint): void;
  /** This kas holds none any more. */
  withdraw(agentId: bigint): void;
  /** This kas drains: its routes are marked, and kas that wait are notified. Settles when that is written, or has failed. */
  depart(): Promise<void>;
  /** The other kas that hold tunnels of the agent. @throws Fault `store_unavailable` when neither the store nor memory can tell */
  lookup(agentId: bigint): Promise<readonly KasRoute[]>;
  /**
   * Called when a route of some agent has come or gone; a hint only.
   *
   * @param onListening called each time hints begin to arrive (also after a break): look again at whatever is being looked for
   * @returns takes the listener back
   */
  onHint(listener: (agentId: bigint) => void, onListening: () => void): () => void;
}

/** The route store of a kas that is alone: there are no others. */
export const noOtherKas: RouteStore = {
  publish: () => undefined,
  withdraw: () => undefined,
  depart: async () => undefined,
  lookup: async () => [],
  onHint: () => () => undefined,
};
