import type { Catalogue } from "../catalogue.ts";

/** What an agent server (kas) does not offer that serves the Kubernetes API alone. */
export const KAS = {
  "kas/not-offered": "this agent server (kas) does not offer that: GitLab's own kas serves the Kubernetes API alone",
  "kas/logs-read-here":
    "These logs are read through the Kubernetes API, four containers at a time: GitLab's own agent server (kas) and old agents read none where they are",
} as const satisfies Catalogue;
