import type { Catalogue } from "../catalogue.ts";

/**
 * The events of an environment. Facts: agent, ago, count, every, kinds, name, namespaces, said, shown, since, total, what.
 */
export const EVENTS = {
  "events/title": "Events",
  "events/agent": "Agent",
} as const satisfies Catalogue;
