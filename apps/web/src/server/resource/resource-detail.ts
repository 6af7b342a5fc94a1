import { apiCodeOf, KubeClientError } from "@binnacle/environment-view";
import { InvalidPathError, keyOf, listPath, objectPath, parseObjectList, type KubeObject, type ResourceKind } from "@binnacle/kube";
import type { GetResourceRequest, GetResourceResponse, Problem, ResourceRef } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { Fault } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";
import { renderEnglish } from "@binnacle/words/render-english";

import { environmentPath } from "../../features/address/route-path.ts";
import { hasAgent, openKasAccess, type BffContext } from "../bff-context.ts";
import { describeResource } from "./describe-resource.ts";
import { manifestOf } from "../gitops/manifest-of.ts";
import { lookUpEnvironment } from "../team-file/look-up-environment.ts";
import type { KasKubeClient } from "../upstream/kas-kube-client.ts";
import { agentForbidden } from "../problem.ts";
import { SaidFault } from "../said-fault.ts";
import { sessionEnded } from "../session/session-ended.ts";
import { scopeOf } from "../view/scope-of.ts";
import { whyRefused } from "../view/subscriber-proof.ts";
import type { ViewerAccess } from "../session/viewer-access.ts";

const MOST_EVENTS = 200;
const EVENTS: ResourceKind = {
  group: "",
  version: "v1",
  kind: "Event",
  resource: "events",
  namespaced: true,
  verbs: [],
  subresources: [],
  shortNames: [],
};

/**
 * One resource in full, read now and with the viewer's own credential.
 *
 * @throws Fault `invalid_request` for names that are none, before anything is asked; `session_ended`, `not_found`, `agent_forbidden`, `environment_forbidden`, `cluster_unavailable`
 */
export async function getResource(
  context: BffContext,
  { viewerAccess, request }: { readonly viewerAccess: ViewerAccess | undefined; readonly request: GetResourceRequest },
  signal: AbortSignal,
): Promise<GetResourceResponse> {
  const { ref, projectPath } = request;
  if (!ref || ref.resource === "" || ref.name === "" || ref.version === "") throw new Fault("invalid_request", "the resource is not named");
  const kind = kindOf(ref);
  if (!viewerAccess) throw sessionEnded();
  const { viewer, environment } = await lookUpEnvironment(context, viewerAccess, {
    projectPath,
    environment: request.environment,
    signal,
  });
  if (!hasAgent(environment)) throw new SaidFault("not_found", words("problem/no-agent"));
  const { namespaces } = scopeOf(environment);
  if (namespaces.length > 0 && !namespaces.includes(ref.namespace)) {
    throw new Fault(
      "not_found",
      `The resource is not in ${namespaces.length === 1 ? "the namespace" : "the namespaces"} of ${environment.name}.`,
    );
  }
  const access = openKasAccess(context, viewerAccess, environment);
  try {
    const object = await access.client.get({ kind, namespace: ref.namespace, name: ref.name }, signal);
    const scope = scopeOf(environment);
    const [{ events, why }, manifest] = await Promise.all([
      eventsOf(access.client, object, signal),
      manifestOf(object, { gitops: context.gitops, clock: context.clock, viewerAccess, access, scope }),
    ]);
    // The object was read with the viewer's own credential: he may be told what has become of it.
    const tenant = context.pictures.identities.of(viewer.username, access)?.tenant;
    const changes = tenant === undefined ? undefined : context.registry.changesOf(tenant, scope, { of: keyOf(object) });
    return describeResource({ object, resource: ref.resource, events, eventsWords: why, changes, manifest });
  } catch (error) {
    if (!(error instanceof KubeClientError)) throw error;
    if (error.failure === "unauthorized") {
      const returnPath = environmentPath(projectPath, environment.name);
      const problem = await whyRefused(context, { viewer, viewerAccess, environment, access, returnPath }, signal);
      const forbidden = agentForbidden(context.wording, environment, viewer);
      const english = (each: Problem): string => renderEnglish(each.words && fromWordsMessage(each.words));
      if (problem && problem.kind !== forbidden.kind) throw new Fault("session_ended", english(problem), { cause: error });
      throw new Fault("agent_forbidden", english(forbidden), { cause: error });
    }
    throw faultOf(error);
  }
}

/** The kind that is asked for. @throws Fault `invalid_request` when a part of the reference is no name of Kubernetes */
function kindOf(ref: ResourceRef): ResourceKind {
  const { group, version, resource, namespace, name } = ref;
  const kind = { ...EVENTS, group, version, kind: ref.kind, resource, namespaced: namespace !== "" };
  try {
    objectPath(kind, { namespace, name });
  } catch (error) {
    if (!(error instanceof InvalidPathError)) throw error;
    throw new Fault("invalid_request", `The resource is not named as Kubernetes names resources: ${error.message}.`, { cause: error });
  }
  return kind;
}

function faultOf(error: KubeClientError): Fault {
  const code = apiCodeOf(error);
  if (code === 404) return new Fault("not_found", error.message, { cause: error });
  if (code === 403) return new Fault("environment_forbidden", error.message, { cause: error });
  return new Fault("cluster_unavailable", error.message, { cause: error, retryAfterSeconds: 5 });
}

async function eventsOf(
  client: KasKubeClient,
  object: KubeObject,
  signal: AbortSignal,
): Promise<{ events: readonly KubeObject[]; why?: Words }> {
  const { uid, namespace = "default" } = object.metadata;
  if (uid === undefined) return { events: [] };
  try {
    const path = listPath(EVENTS, { namespace, limit: MOST_EVENTS, fieldSelector: `involvedObject.uid=${uid}` });
    return { events: parseObjectList(await client.json({ path }, signal), EVENTS)?.items ?? [] };
  } catch (error) {
    // A cluster that lies may name a namespace that is none.
    if (error instanceof InvalidPathError) return { events: [], why: words("request/no-name") };
    if (!(error instanceof KubeClientError) || error.failure === "unauthorized") throw error;
    return { events: [], why: error.words };
  }
}
