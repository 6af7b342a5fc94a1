/** Names, in addresses, the edges that are drawn by default: hubs, policies and rights would cross everything else. */
export const DEFAULT_EDGES = "usual";
