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

/** What one workload runs. */
export interface WorkloadImages {
  readonly images: readonly string[];
  /** When its specification was written, milliseconds since the epoch; 0 when nothing says so. */
  readonly sinceMs: number;
}

/** An image and the workloads that run it. */
export interface RunningImageFacts {
  readonly image: string;
  readonly workloads: number;
  /** When the specification of the one that changed last was written, milliseconds since the epoch; 0 when nothing says so. */
  readonly sinceMs: number;
}

/** Images of a scope, the newest first. */
export interface RunningImages {
  /** At most twenty. */
  readonly images: readonly RunningImageFacts[];
  /** Further ones. */
  readonly more: number;
}

const MAX_IMAGES = 20;
const MAX_IMAGE_CHARS = 512;

/** What one node adds: small enough to be kept of each. */
export function countNode(node: Node): NodeCounts {
  const isWorkload = isPresentWorkload(node);
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

/** Images of a node that is a workload; `undefined` for other nodes, and for one that is scaled to zero. */
export function workloadImagesOf(node: Node): WorkloadImages | undefined {
  if (!isPresentWorkload(node) || node.wanted === 0 || node.images.length === 0) return undefined;
  return { images: node.images, sinceMs: millisOf(node.changedAt ?? node.createdAt) };
}

/** Images of all workloads of a scope. */
export function runningImagesOf(workloads: Iterable<WorkloadImages>): RunningImages {
  const images = new Map<string, RunningImageFacts>();
  for (const { images: names, sinceMs } of workloads) {
    for (const name of new Set(names)) {
      const image = name.slice(0, MAX_IMAGE_CHARS);
      const before = images.get(image);
      images.set(image, { image, workloads: (before?.workloads ?? 0) + 1, sinceMs: Math.max(before?.sinceMs ?? 0, sinceMs) });
    }
  }
  const ordered = [...images.values()].toSorted((a, b) => b.sinceMs - a.sinceMs || (a.image < b.image ? -1 : 1));
  return { images: ordered.slice(0, MAX_IMAGES), more: Math.max(0, ordered.length - MAX_IMAGES) };
}

function isPresentWorkload({ presence, ref }: Node): boolean {
  return presence === Presence.PRESENT && WORKLOADS.has(`${ref?.group}/${ref?.kind}`);
}

function millisOf(time: Timestamp | undefined): number {
  return time === undefined ? 0 : timestampMs(time);
}
