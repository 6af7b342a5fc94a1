import type { Catalogue } from "../catalogue.ts";

/** What has happened to an agent. Facts: commit, view, why. */
export const LIFE = {
  "life/connected": "Connected to the agent server",
  "life/connection-lost": "The connection to the agent server was lost",
  "life/connection-replaced": "The agent server asked for a new connection",
  "life/configuration-given": "The agent server gives a configuration again",
  "life/configuration-applied": "Configuration applied[, commit {commit}]",
  "life/configuration-refused": "No configuration: {why}",
  "life/refused/away": "the agent server could not read it",
  "life/refused/failed": "the agent server failed",
  "life/refused/not-allowed": "the agent server does not allow it",
  "life/refused/not-known": "the agent server does not know the token",
  "life/refused/not-offered": "the agent server does not offer it",
  "life/refused/too-often": "the agent server was asked too often",
  "life/views-begun": "Began to keep {view}",
  "life/views-ended": "Nobody looks at {view} any more",
  "life/view/changes": "views of changes",
  "life/view/environment": "views of environments",
  "life/view/events": "views of events",
  "life/view/nodes": "views of nodes",
  "life/view/other": "views",
  "life/view/summary": "views of workload health",
} as const satisfies Catalogue;
