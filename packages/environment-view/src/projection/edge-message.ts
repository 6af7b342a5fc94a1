import type { GraphEdge } from "@binnacle/graph";
import { maskCredentials } from "@binnacle/health";
import { EdgeSchema, type Edge } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";

import type { ViewState } from "../stream/view-state.ts";

/** Maximum number of ports that are named; a real workload has fewer. */
const MAX_PORTS = 8;

/** Longest port that is sent, in characters: a name of the API has fifteen. */
const MAX_PORT_CHARS = 63;

/** An edge of the graph as it travels, with the numbers of its view. */
export function edgeMessage(edge: GraphEdge, { numbers }: ViewState): Edge {
  const { kind, class: edgeClass, fieldPaths, optional, missing, flowReversed, refused, portMissing, missingPorts = [] } = edge;
  const { ready, weight, share } = edge;
  return create(EdgeSchema, {
    id: numbers.edges.of(edge.id),
    from: numbers.nodes.of(edge.from),
    to: numbers.nodes.of(edge.to),
    kind,
    edgeClass,
    fieldPaths: [...fieldPaths],
    optional,
    missing,
    flowReversed,
    refused,
    portMissing,
    missingPorts: missingPorts.slice(0, MAX_PORTS).map((port) => maskCredentials(port, MAX_PORT_CHARS)),
    ...(ready === undefined ? {} : { ready }),
    ...(weight === undefined ? {} : { weight }),
    ...(share === undefined ? {} : { share }),
  });
}
