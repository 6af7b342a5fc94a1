import type { GraphNode, ResourceGraph } from "@binnacle/graph";
import {
  replicasOf,
  weightOfNotice,
  type HealthNotice,
  type HealthResult,
  type NoticedResource,
  type NoticeWeight,
} from "@binnacle/health";

import { healthRefOf } from "../nodes/view-names.ts";

/** A Service that selects no pod. */
const WITHOUT_PODS = "network/no-endpoints";

/** The notices of nodes that belong to the list of issues, as they were sent last. */
export class ListedNotices {
  readonly #graph: ResourceGraph;
  readonly #listed = new Map<string, readonly HealthNotice[]>();

  constructor(graph: ResourceGraph) {
    this.#graph = graph;
  }

  /** Replaces the notices of a node. */
  put(id: string, notices: readonly HealthNotice[]): void {
    const listed = notices.filter((notice) => weightOfNotice(notice) !== "elsewhere");
    if (listed.length > 0) this.#listed.set(id, listed);
    else this.#listed.delete(id);
  }

  /** The node is gone. */
  remove(id: string): void {
    this.#listed.delete(id);
  }

  /**
   * Those of some nodes.
   *
   * @param healthOf the last health of a node
   */
  of(nodes: readonly GraphNode[], healthOf: (id: string) => HealthResult | null): readonly NoticedResource[] {
    if (this.#listed.size === 0) return [];
    return nodes.flatMap((node) =>
      (this.#listed.get(node.id) ?? []).map((notice) => ({
        ref: healthRefOf(node),
        health: healthOf(node.id),
        notice,
        weight: this.#weightOf(node.id, notice, healthOf),
      })),
    );
  }

  /** A Service has no pods because its workload has none: that is the workload's own issue, or the workload is scaled to zero. */
  #weightOf(id: string, notice: HealthNotice, healthOf: (id: string) => HealthResult | null): NoticeWeight {
    if (notice.message.id !== WITHOUT_PODS) return weightOfNotice(notice);
    const workloads = this.#graph.edgesOf(id).flatMap(({ kind, from, to }) => (kind === "svc-workload" && from === id ? [to] : []));
    if (workloads.some((each) => (healthOf(each)?.status ?? "Healthy") !== "Healthy")) return "elsewhere";
    const objects = workloads.flatMap((each) => this.#graph.node(each)?.object ?? []);
    return objects.some((object) => replicasOf(object)?.wanted === 0) ? "uncounted" : weightOfNotice(notice);
  }
}
