import type { Catalogue } from "../catalogue.ts";

/** What has happened to an agent. Facts: commit, why. */
export const LIFE = {
  "life/connected": "Connected to kas (agent server)",
  "life/connection-lost": "The connection to kas (agent server) was lost",
  "life/connection-replaced": "kas (agent server) requested a new connection",
  "life/configuration-given": "kas (agent server) sends configuration again",
  "life/configuration-applied": "Configuration applied{has_commit, select, no {} other {, commit {commit}}}",
  "life/configuration-refused": "No configuration: {why}",
  "life/refused/away": "kas (agent server) could not read it",
  "life/refused/failed": "kas (agent server) failed",
  "life/refused/not-allowed": "kas (agent server) does not allow it",
  "life/refused/not-known": "kas (agent server) does not know the token",
  "life/refused/not-offered": "kas (agent server) does not offer it",
  "life/refused/too-often": "kas (agent server) was asked too often",
} as const satisfies Catalogue;
