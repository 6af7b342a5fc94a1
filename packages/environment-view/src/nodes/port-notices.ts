import type { GraphEdge, GraphNode } from "@binnacle/graph";
import { boundedWords, type HealthNotice } from "@binnacle/health";
import { words } from "@binnacle/words";

/** Of one node so many are told: the others are mended alike. */
const MOST_NOTICES = 8;

/**
 * What is to be said of references of a node to ports that are not there.
 *
 * @param edges references to Services without the port that they name
 * @param nodeOf the node of an id
 */
export function portNotices(
  { kind, name }: GraphNode,
  edges: readonly GraphEdge[],
  nodeOf: (id: string) => GraphNode | undefined,
): HealthNotice[] {
  return edges.slice(0, MOST_NOTICES).map(({ to, missingPorts = [] }) => {
    const service = nodeOf(to);
    const facts = {
      kind,
      name,
      backend: service?.name ?? "",
      namespace: service?.namespace ?? "",
      count: missingPorts.length,
      ports: missingPorts,
    };
    return {
      reason: "PortMissing",
      message: boundedWords(words("network/port-missing", facts)),
      nextStep: boundedWords(words("network/port-missing/next", facts)),
    };
  });
}
