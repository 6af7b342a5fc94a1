import {
  ListNodePodsResponseSchema,
  NodeEnvironmentSchema,
  Presence,
  SettledState,
  type ListNodePodsResponse,
  type NodeEnvironment,
  type Snapshot,
} from "@binnacle/proto/dashboard";
import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import { timeField } from "@binnacle/proto/wire-values";
import { create } from "@bufbuild/protobuf";

import { hasAgent } from "../environment/connected-environment.ts";
import type { EnvironmentRecord } from "../main-application/records.ts";
import { heldEnvironments, type LoadedSnapshot, type HeldRequest, type HeldContext } from "./loaded-environments.ts";

const MAX_ENVIRONMENTS = 100;

/** A node, and the environment whose page shows it. */
interface NodePodsRequest extends HeldRequest {
  /** Name of the environment; of others only those with its agent count. */
  readonly environment: string;
  /** Name of the node. */
  readonly node: string;
}

/**
 * Pods on a node in the other environments of a project that have the same agent, from what the server has cached: no cluster is read for any.
 *
 * @throws Fault as `heldEnvironments`
 */
export async function listNodePods(context: HeldContext, request: NodePodsRequest): Promise<ListNodePodsResponse> {
  const isBeside = (each: EnvironmentRecord, all: readonly EnvironmentRecord[]): boolean => {
    const own = all.find(({ name }) => name === request.environment);
    return each !== own && own !== undefined && hasAgent(own) && hasAgent(each) && each.agent.id === own.agent.id;
  };
  const found: NodeEnvironment[] = [];
  for await (const { environment, held } of heldEnvironments(context, request, isBeside)) {
    const known = held && podsIn(held, request.node);
    found.push(create(NodeEnvironmentSchema, { name: environment.name, ...known }));
  }
  const ordered = found.toSorted((left, right) => (right.pods ?? -1) - (left.pods ?? -1) || (left.name < right.name ? -1 : 1));
  return create(ListNodePodsResponseSchema, {
    environments: ordered.slice(0, MAX_ENVIRONMENTS),
    more: Math.max(0, ordered.length - MAX_ENVIRONMENTS),
  });
}

/** Of a picture all pods are counted; a summary names only nodes that are to blame for something. */
function podsIn(held: LoadedSnapshot, node: string): Partial<NodeEnvironment> | undefined {
  if (held.picture !== undefined) return podsOfPicture(held.picture, node);
  const issue = held.summary?.health.issues.find((each) => each.node === node && each.pods !== undefined);
  if (held.summary === undefined || issue?.pods === undefined) return undefined;
  return { pods: issue.pods, morePods: issue.morePods, ...timeField("asOf", held.summary.asOfMs) };
}

function podsOfPicture({ nodes, sources, asOf }: Snapshot, name: string): Partial<NodeEnvironment> | undefined {
  const kinds = sources.filter(({ group, resource }) => group === "" && resource === "pods");
  if (kinds.every(({ settled }) => settled === SettledState.FORBIDDEN || settled === SettledState.UNSPECIFIED)) return undefined;
  const pods = nodes.filter(({ nodeName, presence }) => nodeName === name && presence === Presence.PRESENT);
  return {
    pods: pods.length,
    notHealthy: pods.filter(({ health }) => health !== undefined && health.status !== HealthStatus.HEALTHY).length,
    morePods: kinds.some(({ settled }) => settled !== SettledState.LIVE),
    ...(asOf && { asOf }),
  };
}
