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

import { hasAgent, openKasAccess, type BffContext, type ConnectedEnvironment } from "../bff-context.ts";
import { sessionEnded } from "../session/session-ended.ts";
import type { ViewerAccess } from "../session/viewer-access.ts";
import { withTeam } from "../team-file/team-view-of.ts";
import { isLetThroughNow } from "../upstream/way-behind-kas.ts";
import { queryEnvironments, type MainViewer } from "../view/environment-query.ts";
import { scopeOf } from "../view/scope-of.ts";

const MAX_RESOURCES = 2_000;
const MAX_UNLISTED = 100;
/** Environments whose pictures are opened for one answer. */
const MAX_ENVIRONMENTS = 100;

interface HeldRequest {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly projectPath: string;
  readonly signal: AbortSignal;
}

/**
 * Resources of a project's environments by name, from views that are open and from last pictures: no cluster is asked for any. Only as the identity
 * that the viewer was proved as last, and only of agents to which kas lets the viewer through now.
 *
 * @throws Fault as `queryEnvironments`
 */
export async function listHeldResources(
  context: BffContext,
  { viewerAccess, projectPath, signal }: HeldRequest,
): Promise<ListHeldResourcesResponse> {
  if (viewerAccess === undefined) throw sessionEnded();
  const { viewer, environments } = await queryEnvironments(viewerAccess, projectPath, signal);
  const reading = environments.length === 0 ? undefined : await context.teamFiles.read(viewerAccess, projectPath);
  const allowed = new Map<bigint, Promise<boolean>>();
  const isAllowed = (environment: ConnectedEnvironment): Promise<boolean> => {
    const { id } = environment.agent;
    const known = allowed.get(id) ?? isLetThroughNow(openKasAccess(context, viewerAccess, environment), signal);
    allowed.set(id, known);
    return known;
  };
  const resources: HeldResource[] = [];
  const unlisted: string[] = [];
  const known: HeldEnvironment[] = [];
  for (const [index, found] of environments.entries()) {
    const environment = reading === undefined ? found : withTeam(found, reading);
    const held =
      index < MAX_ENVIRONMENTS && hasAgent(environment) && (await isAllowed(environment))
        ? await heldOf(context, { viewer, viewerAccess }, environment)
        : undefined;
    if (held?.resources === undefined) unlisted.push(found.name);
    else resources.push(...held.resources);
    known.push(create(HeldEnvironmentSchema, { name: found.name, ...(held?.status !== undefined && { status: held.status }) }));
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

/** What is held of an environment for a viewer. */
interface Held {
  readonly resources: readonly HeldResource[] | undefined;
  readonly status: HealthStatus | undefined;
}

/** @returns `undefined` when nothing is held for this viewer */
async function heldOf(
  context: BffContext,
  { viewer, viewerAccess }: { readonly viewer: MainViewer; readonly viewerAccess: ViewerAccess },
  environment: ConnectedEnvironment,
): Promise<Held | undefined> {
  const { pictures, registry, summaries } = context;
  const proved = pictures.identities.of(viewer.username, openKasAccess(context, viewerAccess, environment));
  if (proved === undefined) return undefined;
  const [scope, { tenant }] = [scopeOf(environment), proved];
  const status = (registry.lastSummary(tenant, scope) ?? summaries.lastOf(tenant, scope))?.health.status;
  const picture = await registry.lastPicture(tenant, scope);
  const resources = picture?.nodes.flatMap(({ ref, presence, health }) =>
    ref === undefined || presence !== Presence.PRESENT
      ? []
      : [create(HeldResourceSchema, { environment: environment.name, ref, status: health?.status ?? HealthStatus.UNSPECIFIED })],
  );
  return { resources, status };
}
