import { create } from "@bufbuild/protobuf";
import { fieldsAt, listAt, quantityOf, textAt, type KubeObject } from "@binnacle/kube";
import { NodeResourcesSchema, NodeSummarySchema, type NodeResources, type NodeSummary } from "@binnacle/proto/kas-views";

/** What the nodes of a cluster are together, without their names. */
export function nodeSummaryOf(nodes: Iterable<KubeObject>): NodeSummary {
  const summary = create(NodeSummarySchema, { capacity: {}, allocatable: {} });
  const [capacity, allocatable] = [create(NodeResourcesSchema), create(NodeResourcesSchema)];
  const versions = new Map<string, number>();
  for (const node of nodes) {
    const status = fieldsAt(node, "status");
    const isReady = listAt(status, "conditions").some((each) => textAt(each, "type") === "Ready" && textAt(each, "status") === "True");
    summary.count += 1;
    if (isReady) summary.ready += 1;
    if (fieldsAt(node, "spec")["unschedulable"] === true) summary.unschedulable += 1;
    add(capacity, fieldsAt(status, "capacity"));
    add(allocatable, fieldsAt(status, "allocatable"));
    const version = textAt(fieldsAt(status, "nodeInfo"), "kubeletVersion");
    versions.set(version, (versions.get(version) ?? 0) + 1);
  }
  const counted = Array.from(versions, ([version, count]) => ({ $typeName: "kas.v1.NodeVersion" as const, version, nodes: count }));
  const sorted = counted.toSorted((a, b) => b.nodes - a.nodes || (a.version < b.version ? -1 : 1));
  return { ...summary, capacity, allocatable, versions: sorted };
}

function add(sum: NodeResources, resources: Readonly<Record<string, unknown>>): void {
  sum.cpuMillis += wholeOf(resources["cpu"], 1_000);
  sum.memoryBytes += wholeOf(resources["memory"], 1);
  sum.pods += wholeOf(resources["pods"], 1);
}

/** What a cluster claims may be anything. */
function wholeOf(value: unknown, factor: number): bigint {
  const number = Math.round((quantityOf(value) ?? 0) * factor);
  return Number.isSafeInteger(number) && number > 0 ? BigInt(number) : 0n;
}
