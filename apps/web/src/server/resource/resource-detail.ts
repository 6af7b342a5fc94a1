import { KubeClientError, type ChangesRequest, type ScopeChanges, type ViewScope } from "@binnacle/environment-view";
import { InvalidPathError, keyOf, listPath, namespacedKind, parseObjectList, type KubeObject } from "@binnacle/kube";
import type { GetResourceResponse } from "@binnacle/proto/dashboard";
import type { Clock } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";

import { nameAuthors } from "../authors/name-authors.ts";
import { manifestOf } from "../delivery/manifest-of.ts";
import type { KasKubeClient } from "../kas/kas-kube-client.ts";
import { describeResource } from "./describe-resource.ts";
import type { ResourceQuestion } from "../environment/open-environment.ts";
import { withResource, type ResourceContext } from "./with-resource.ts";
import type { SyncsContext } from "../syncs/gitops-syncs.ts";
import type { IdentitiesContext } from "../kas/proved-identities.ts";
import type { ViewerActs } from "../authors/viewer-acts.ts";
import type { DeliveryJournal } from "../delivery/delivery-journal.ts";

/** What a resource is described with. */
export interface ResourceDetailContext extends ResourceContext, SyncsContext, IdentitiesContext {
  readonly clock: Clock;
  /** Views that are open. */
  readonly registry: {
    /** What has changed in an environment since it was opened; `undefined` when it has no open view here. */
    changesOf(tenant: string, scope: ViewScope, request: ChangesRequest): Promise<ScopeChanges | undefined>;
  };
  /** What viewers have changed. */
  readonly acts: Pick<ViewerActs, "of">;
  /** Deployments and syncs since pages were opened. */
  readonly deliveries: Pick<DeliveryJournal, "of">;
}

const MAX_EVENTS = 200;
const EVENTS = namespacedKind({ group: "", version: "v1", kind: "Event", resource: "events" });

/** A slice holds up to a hundred endpoints, sometimes a thousand. */
const MAX_SLICES = 50;
const ENDPOINT_SLICES = namespacedKind({ group: "discovery.k8s.io", version: "v1", kind: "EndpointSlice", resource: "endpointslices" });

/** One resource in full. @throws Fault as `withResource` */
export async function getResource(context: ResourceDetailContext, question: ResourceQuestion): Promise<GetResourceResponse> {
  return withResource(context, question, async ({ viewer, viewerAccess, environment, access, scope, ref, object }) => {
    const [{ events, why }, slices, manifest] = await Promise.all([
      eventsOf(access.client, object, question.signal),
      slicesOf(access.client, object, question.signal),
      manifestOf(object, { gitops: context.gitops, clock: context.clock, viewerAccess, access, scope }),
    ]);
    // The object was read with the viewer's own credential: he may see its changes.
    const tenant = context.pictures.identities.of(viewer.username, access)?.tenant;
    const found = tenant === undefined ? undefined : await context.registry.changesOf(tenant, scope, { of: keyOf(object) });
    const changes = found && { ...found, changes: nameAuthors(found.changes, context.acts.of(environment)) };
    const { deployments } = context.deliveries.of({ viewerAccess, environment });
    const nowMs = context.clock.now();
    const described = { object, resource: ref.resource, events, eventsWords: why, slices, changes, manifest: manifest?.place, deployments };
    return describeResource({ ...described, nowMs });
  });
}

async function eventsOf(
  client: KasKubeClient,
  object: KubeObject,
  signal: AbortSignal,
): Promise<{ events: readonly KubeObject[]; why?: Words }> {
  const { uid, namespace = "default" } = object.metadata;
  if (uid === undefined) return { events: [] };
  try {
    const path = listPath(EVENTS, { namespace, limit: MAX_EVENTS, fieldSelector: `involvedObject.uid=${uid}` });
    return { events: parseObjectList(await client.json({ path }, signal), EVENTS)?.items ?? [] };
  } catch (error) {
    // A cluster that lies may name a namespace that is none.
    if (error instanceof InvalidPathError) return { events: [], why: words("request/no-name") };
    if (!(error instanceof KubeClientError) || error.failure === "unauthorized") throw error;
    return { events: [], why: error.words };
  }
}

/** The EndpointSlices of a Service; `undefined` for what is none, and where they may not be read. @throws KubeClientError `unauthorized` */
async function slicesOf(client: KasKubeClient, object: KubeObject, signal: AbortSignal): Promise<readonly KubeObject[] | undefined> {
  const { group, kind, namespace, name } = keyOf(object);
  if (group !== "" || kind !== "Service" || namespace === "") return undefined;
  try {
    const path = listPath(ENDPOINT_SLICES, { namespace, limit: MAX_SLICES, labelSelector: `kubernetes.io/service-name=${name}` });
    return parseObjectList(await client.json({ path }, signal), ENDPOINT_SLICES)?.items;
  } catch (error) {
    // A cluster that lies may name a namespace that is none.
    if (error instanceof InvalidPathError) return undefined;
    if (!(error instanceof KubeClientError) || error.failure === "unauthorized") throw error;
    return undefined;
  }
}
