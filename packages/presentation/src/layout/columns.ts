import type { InputNode } from "./graph-input.ts";
import type { WordsId } from "@binnacle/words";

/** Titles of the columns, left to right. */
export const COLUMN_TITLES = [
  "resource-graph/column/ingresses",
  "resource-graph/column/services",
  "ui/workloads",
  "resource-graph/column/endpoints",
  "resource-graph/column/pods",
] as const satisfies readonly WordsId[];

/** Column of workloads; custom resources without a better place stand here. */
export const WORKLOADS = 2;
/** Last column. */
export const LAST = 4;

const BY_KIND: ReadonlyMap<string, number> = new Map(
  Object.entries({
    Ingress: 0,
    Gateway: 0,
    HTTPRoute: 0,
    GRPCRoute: 0,
    TLSRoute: 0,
    Service: 1,
    HorizontalPodAutoscaler: 1,
    PodDisruptionBudget: 1,
    NetworkPolicy: 1,
    Deployment: WORKLOADS,
    StatefulSet: WORKLOADS,
    DaemonSet: WORKLOADS,
    ReplicationController: WORKLOADS,
    CronJob: WORKLOADS,
    ReplicaSet: 3,
    EndpointSlice: 3,
    ControllerRevision: 3,
    Pod: LAST,
    ConfigMap: LAST,
    Secret: LAST,
    PersistentVolumeClaim: LAST,
    PersistentVolume: LAST,
    ServiceAccount: LAST,
    Role: LAST,
    RoleBinding: LAST,
  }),
);

/**
 * Column of every node by its role. A custom resource stands left of what it owns, else right of its owner, else with the workloads.
 *
 * @param childrenOf ids of the nodes that name the given one as their owner
 */
export function columnsOf(
  nodes: ReadonlyMap<string, InputNode>,
  childrenOf: (id: string) => readonly InputNode[],
): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  const visiting = new Set<string>();
  const column = (node: InputNode): number => {
    const known = columns.get(node.id);
    if (known !== undefined) return known;
    // A cycle of owners is broken input, not a reason to hang.
    if (visiting.has(node.id)) return WORKLOADS;
    visiting.add(node.id);
    const found = columnByRole(node) ?? customColumn(node);
    columns.set(node.id, found);
    return found;
  };
  const customColumn = (node: InputNode): number => {
    const below = childrenOf(node.id).map((child) => columnByRole(child) ?? LAST);
    if (below.length > 0) return Math.max(0, Math.min(...below) - 1);
    const owner = nodes.get(node.ownerId);
    return owner === undefined ? WORKLOADS : Math.min(LAST, column(owner) + 1);
  };
  for (const node of nodes.values()) column(node);
  return columns;
}

function columnByRole(node: InputNode): number | undefined {
  if (node.kind === "Job") return node.ownerId === "" ? WORKLOADS : 3;
  // A map: a kind may be called "toString", and every record has that.
  return BY_KIND.get(node.kind);
}
