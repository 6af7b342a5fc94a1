import {
  ListHeldResourcesResponseSchema,
  Presence,
  HeldEnvironmentSchema,
  HeldResourceSchema,
  type HeldEnvironment,
  type HeldResource,
  type ListHeldResourcesResponse,
} from "@binnacle/proto/dashboard";
import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import { create } from "@bufbuild/protobuf";

import { heldEnvironments, type HeldPicture, type HeldRequest, type HeldContext } from "./held-environments.ts";

const MAX_RESOURCES = 2_000;
const MAX_UNLISTED = 100;

/**
 * Resources of a project's environments by name, from views that are open and from last pictures: no cluster is asked for any. Only as the identity
 * that the viewer was proved as last, and only of agents to which kas lets the viewer through now.
 *
 * @throws Fault as `queryEnvironments`
 */
export async function listHeldResources(context: HeldContext, request: HeldRequest): Promise<ListHeldResourcesResponse> {
  const resources: HeldResource[] = [];
  const unlisted: string[] = [];
  const known: HeldEnvironment[] = [];
  for await (const { environment, held } of heldEnvironments(context, request)) {
    const { name } = environment;
    const listed = held === undefined ? undefined : resourcesOf(name, held);
    if (listed === undefined) unlisted.push(name);
    else resources.push(...listed);
    const status = held?.summary?.health.status;
    known.push(create(HeldEnvironmentSchema, { name, ...(status !== undefined && { status }) }));
  }
  const worstFirst = resources.toSorted((left, right) => right.status - left.status);
  return create(ListHeldResourcesResponseSchema, {
    resources: worstFirst.slice(0, MAX_RESOURCES),
    total: resources.length,
    unlisted: unlisted.slice(0, MAX_UNLISTED),
    unlistedTotal: unlisted.length,
    environments: known,
  });
}

/** @returns `undefined` when no resources are cached */
function resourcesOf(environment: string, { picture }: HeldPicture): readonly HeldResource[] | undefined {
  return picture?.nodes.flatMap(({ ref, presence, health }) =>
    ref === undefined || presence !== Presence.PRESENT
      ? []
      : [create(HeldResourceSchema, { environment, ref, status: health?.status ?? HealthStatus.UNSPECIFIED })],
  );
}
