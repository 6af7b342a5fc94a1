import { apiCodeOf, KubeClientError, type ViewScope } from "@binnacle/environment-view";
import { InvalidPathError, objectPath, type KubeObject, type ResourceKind } from "@binnacle/kube";
import type { Problem, ResourceRef } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { Fault } from "@binnacle/rpc";
import { words } from "@binnacle/words";
import { renderEnglish } from "@binnacle/words/render-english";

import { environmentPath } from "../../features/address/route-path.ts";
import { hasAgent, openKasAccess, type BffContext, type ConnectedEnvironment } from "../bff-context.ts";
import { agentForbidden } from "../problem.ts";
import { SaidFault } from "../said-fault.ts";
import { sessionEnded } from "../session/session-ended.ts";
import type { ViewerAccess } from "../session/viewer-access.ts";
import { lookUpEnvironment } from "../team-file/look-up-environment.ts";
import type { KasAccess } from "../upstream/kas-access.ts";
import type { MainViewer } from "../view/environment-query.ts";
import { scopeOf } from "../view/scope-of.ts";
import { whyRefused } from "../view/subscriber-proof.ts";

/** Who asks for which resource of which environment. */
export interface ResourceQuestion {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly request: { readonly projectPath: string; readonly environment: string; readonly ref?: ResourceRef | undefined };
  readonly signal: AbortSignal;
}

/** A resource that was read now, with the viewer's own credential, and his way to more. */
export interface OpenResource {
  readonly viewer: MainViewer;
  readonly viewerAccess: ViewerAccess;
  readonly environment: ConnectedEnvironment;
  readonly access: KasAccess;
  readonly scope: ViewScope;
  readonly ref: ResourceRef;
  readonly kind: ResourceKind;
  /** As the cluster sent it. */
  readonly object: KubeObject;
}

/**
 * Reads a resource as the viewer and does something with it.
 *
 * @throws Fault `invalid_request` for names that are none, before anything is asked; `session_ended`, `not_found`, `agent_forbidden`, `environment_forbidden`, `cluster_unavailable`
 */
export async function withResource<T>(
  context: BffContext,
  { viewerAccess, request, signal }: ResourceQuestion,
  work: (resource: OpenResource) => Promise<T>,
): Promise<T> {
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
  const scope = scopeOf(environment);
  const { namespaces } = scope;
  if (namespaces.length > 0 && !namespaces.includes(ref.namespace)) {
    throw new Fault(
      "not_found",
      `The resource is not in ${namespaces.length === 1 ? "the namespace" : "the namespaces"} of ${environment.name}.`,
    );
  }
  const access = openKasAccess(context, viewerAccess, environment);
  try {
    const object = await access.client.get({ kind, namespace: ref.namespace, name: ref.name }, signal);
    return await work({ viewer, viewerAccess, environment, access, scope, ref, kind, object });
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
  const kind = { group, version, kind: ref.kind, resource, namespaced: namespace !== "", verbs: [], subresources: [], shortNames: [] };
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
