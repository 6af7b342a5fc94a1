import type { SummaryFacts } from "@binnacle/environment-view";
import {
  type Snapshot,
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

import { hasAgent, openKasAccess, type ConnectedEnvironment, type KasAccessContext } from "../environment/connected-environment.ts";
import { sessionEnded } from "../base/session-ended.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { withTeam } from "../team-file/team-view-of.ts";
import { isLetThroughNow } from "../kas/way-behind-kas.ts";
import type { EnvironmentRecord, MainViewer } from "../main-application/records.ts";
import { scopeOf } from "../main-application/scope-of.ts";
import type { LookUpContext } from "../environment/look-up-environment.ts";
import type { IdentitiesContext } from "../kas/proved-identities.ts";
import type { ViewRegistry } from "../shared-views/view-registry.ts";
import type { SummaryRegistry } from "../index/summary-registry.ts";

/** What cached pictures are read with. */
export interface HeldContext extends LookUpContext, KasAccessContext, IdentitiesContext {
  readonly registry: Pick<ViewRegistry, "lastPicture" | "lastSummary">;
  readonly summaries: Pick<SummaryRegistry, "lastOf">;
}

/** Environments whose pictures are opened for one answer. */
const MAX_ENVIRONMENTS = 100;

/** A viewer, and the project whose cached environments are read. */
export interface HeldRequest {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly projectPath: string;
  readonly signal: AbortSignal;
}

/** What is cached of an environment for a viewer. */
export interface LoadedSnapshot {
  /** Its resources; absent when none are cached. */
  readonly picture: Snapshot | undefined;
  /** Absent when none is cached. */
  readonly summary: SummaryFacts | undefined;
}

/** An environment of a project with what is cached of it; `held` is absent when nothing is. */
export interface CachedEnvironment {
  readonly environment: EnvironmentRecord;
  readonly held: LoadedSnapshot | undefined;
}

/**
 * All environments of a project with what is cached of them: open views, last pictures, and summaries. No cluster is read for any. Only as
 * the identity that the viewer was proved as last, and only of agents to which kas lets the viewer through now.
 *
 * @param isWanted environments of which something is to be read; absent: all
 * @throws Fault as `queryEnvironments`
 */
export async function* heldEnvironments(
  context: HeldContext,
  { viewerAccess, projectPath, signal }: HeldRequest,
  isWanted: (environment: EnvironmentRecord, all: readonly EnvironmentRecord[]) => boolean = () => true,
): AsyncIterable<CachedEnvironment> {
  if (viewerAccess === undefined) throw sessionEnded();
  const { viewer, environments } = await viewerAccess.environments(projectPath, signal);
  const reading = environments.length === 0 ? undefined : await context.teamFiles.read(viewerAccess, projectPath);
  const allowed = new Map<bigint, Promise<boolean>>();
  const isAllowed = (environment: ConnectedEnvironment): Promise<boolean> => {
    const { id } = environment.agent;
    const known = allowed.get(id) ?? isLetThroughNow(openKasAccess(context, viewerAccess, environment), signal);
    allowed.set(id, known);
    return known;
  };
  const wanted = environments.filter((environment) => isWanted(environment, environments));
  for (const [index, found] of wanted.entries()) {
    const environment = reading === undefined ? found : withTeam(found, reading);
    const isOpened = index < MAX_ENVIRONMENTS && hasAgent(environment) && (await isAllowed(environment));
    yield { environment, held: isOpened ? await heldOf(context, { viewer, viewerAccess }, environment) : undefined };
  }
}

/** @returns `undefined` when nothing is cached for this viewer */
async function heldOf(
  context: HeldContext,
  { viewer, viewerAccess }: { readonly viewer: MainViewer; readonly viewerAccess: ViewerAccess },
  environment: ConnectedEnvironment,
): Promise<LoadedSnapshot | undefined> {
  const { pictures, registry, summaries } = context;
  const proved = pictures.identities.of(viewer.username, openKasAccess(context, viewerAccess, environment));
  if (proved === undefined) return undefined;
  const [scope, { tenant }] = [scopeOf(environment), proved];
  const summary = registry.lastSummary(tenant, scope) ?? summaries.lastOf(tenant, scope);
  return { picture: await registry.lastPicture(tenant, scope), summary };
}

const MAX_RESOURCES = 2_000;
const MAX_UNLISTED = 100;

/**
 * Resources of a project's environments by name, from open views and from last snapshots, without a request to a cluster. Only as the identity
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
function resourcesOf(environment: string, { picture }: LoadedSnapshot): readonly HeldResource[] | undefined {
  return picture?.nodes.flatMap(({ ref, presence, health }) =>
    ref === undefined || presence !== Presence.PRESENT
      ? []
      : [create(HeldResourceSchema, { environment, ref, status: health?.status ?? HealthStatus.UNSPECIFIED })],
  );
}
