import { HealthStatus, Presence, type Node } from "@binnacle/proto/dashboard";
import { timestampMs, type Timestamp } from "@bufbuild/protobuf/wkt";

/** Kinds counted as workloads. */
const WORKLOADS: ReadonlySet<string> = new Set(["apps/Deployment", "apps/StatefulSet", "apps/DaemonSet"]);

/** What a summary counts of nodes. */
export interface NodeCounts {
  readonly workloads: number;
  readonly workloadsReady: number;
  /** Those that are suspended and not ready. */
  readonly workloadsSuspended: number;
  /** Those that should run and have no ready replica. */
  readonly workloadsDown: number;
  /** Newest change, milliseconds since the epoch; 0 when nothing tells. */
  readonly changedMs: number;
}

/** What one node adds: small enough to be kept of each. */
export function countNode(node: Node): NodeCounts {
  const isWorkload = node.presence === Presence.PRESENT && WORKLOADS.has(`${node.ref?.group}/${node.ref?.kind}`);
  const isReady = node.ready >= node.wanted;
  const isSuspended = node.health?.status === HealthStatus.SUSPENDED;
  return {
    workloads: isWorkload ? 1 : 0,
    workloadsReady: isWorkload && isReady ? 1 : 0,
    workloadsSuspended: isWorkload && !isReady && isSuspended ? 1 : 0,
    workloadsDown: isWorkload && !isSuspended && node.wanted > 0 && node.ready <= 0 ? 1 : 0,
    changedMs: Math.max(...[node.createdAt, node.changedAt, node.health?.since, node.deletingSince].map(millisOf)),
  };
}

/** What all of them are together. */
export function sumOfCounts(counts: Iterable<NodeCounts>): NodeCounts {
  let [workloads, workloadsReady, workloadsSuspended, workloadsDown, changedMs] = [0, 0, 0, 0, 0];
  for (const count of counts) {
    workloads += count.workloads;
    workloadsReady += count.workloadsReady;
    workloadsSuspended += count.workloadsSuspended;
    workloadsDown += count.workloadsDown;
    changedMs = Math.max(changedMs, count.changedMs);
  }
  return { workloads, workloadsReady, workloadsSuspended, workloadsDown, changedMs };
}

function millisOf(time: Timestamp | undefined): number {
  return time === undefined ? 0 : timestampMs(time);
}
