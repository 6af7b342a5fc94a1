import { HealthStatus, Presence } from "@binnacle/proto/dashboard-enums";
import { nodeIdOf, type LiveNode } from "../../live/live-node.ts";
import { clusterNodeRef } from "../../resource/cluster-node-link.tsx";

/**
 * A Node of the cluster as something that the drawer shows: no view has it, because it is no resource of an environment. Whether there is such a Node
 * is known only once it has been read.
 *
 * @param revision another number when it is to be read again
 */
export function clusterNode(name: string, revision: number): LiveNode {
  const ref = clusterNodeRef(name);
  return {
    $typeName: "dashboard.v1.Node",
    id: nodeIdOf(ref),
    ownerId: "",
    life: 1,
    ref,
    presence: Presence.PRESENT,
    worstBelow: HealthStatus.UNSPECIFIED,
    ready: -1,
    wanted: -1,
    revision,
    images: [],
    restarts: 0,
    notices: [],
    externalUrl: "",
    superseded: false,
    generated: false,
    certificates: [],
    nodeName: "",
  };
}
