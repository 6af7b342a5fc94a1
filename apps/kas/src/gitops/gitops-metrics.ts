import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** What GitOps counts. */
export interface GitopsMetrics {
  /** A stream has heard of a look at its repository, so long after the one before. */
  polledAfter(ms: number): void;
  /** `refused`: the repository's owner must change something; `failed`: broke off, or is tried again; `left`: the agent has gone. */
  batch(outcome: "sent" | "refused" | "failed" | "left"): void;
  sentBytes(bytes: number): void;
  /** Streams that are open; a number more or less. */
  streams(change: 1 | -1): void;
}

/** Makes the metrics in a registry. `gitops_poll_interval` has the name and the bounds that the GitLab agent server gives it. */
export function createGitopsMetrics(registry: Registry): GitopsMetrics {
  const registers = [registry];
  const intervals = new Histogram({
    name: "gitops_poll_interval",
    help: "Seconds between two looks at the repository of a manifest project",
    buckets: [20, 30, 40, 50, 60, 70, 80, 90, 100],
    registers,
  });
  const batches = new Counter({
    name: "kas_gitops_batches_total",
    help: "Batches of manifests, by how they ended",
    labelNames: ["outcome"],
    registers,
  });
  const bytes = new Counter({ name: "kas_gitops_sent_bytes_total", help: "Bytes of manifests of complete batches", registers });
  const open = new Gauge({ name: "kas_gitops_streams_open", help: "Agents' waits for manifests of a project", registers });
  return {
    polledAfter: (ms) => intervals.observe(ms / 1_000),
    batch: (outcome) => batches.labels(outcome).inc(),
    sentBytes: (sent) => bytes.inc(sent),
    streams: (change) => open.inc(change),
  };
}
