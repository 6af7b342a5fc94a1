import type { StateTable } from "@binnacle/rpc";

/**
 * `filling` opens tunnels up to its target · `waiting` kas has refused one, and none is opened before the delay is over (or, when there is no
 * session by then, before the next session) · `probing` one tunnel is open, and its outcome decides · `draining` opens none, running calls may
 * end · `closed` for good.
 */
export type PoolState =
  | { readonly name: "filling" | "probing" | "closed" }
  | { readonly name: "waiting"; readonly cancelDelay: () => void }
  | { readonly name: "draining"; readonly onTunnelEnded: () => void };

/** `refused` that of a tunnel that counts · `probe` a tunnel is opened to find out · `accepted` kas has taken the probe. */
export type PoolEvent = "refused" | "probe" | "accepted" | "drain" | "close";

/** Every change of state of the pool. A new session replaces a probe that is open on the old one. */
export const POOL_STATES: StateTable<PoolState["name"], PoolEvent> = {
  filling: { refused: "waiting", drain: "draining", close: "closed" },
  waiting: { probe: "probing", drain: "draining", close: "closed" },
  probing: { probe: "probing", accepted: "filling", refused: "waiting", drain: "draining", close: "closed" },
  draining: { close: "closed" },
  closed: {},
};
