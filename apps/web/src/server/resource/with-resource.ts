import { apiCodeOf, KubeClientError } from "@binnacle/environment-view";
import type { KubeObject } from "@binnacle/kube";
import type { Problem } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { Fault } from "@binnacle/rpc";
import { renderEnglish } from "@binnacle/words/render-english";

import { environmentPath } from "../../features/address/route-path.ts";
import { agentForbidden } from "../environment/problem.ts";
import { whyRefused, type RefusalContext } from "../environment/recheck-subscriber.ts";
import { namedResource, type NamedResource } from "./named-resource.ts";
import { openEnvironment, type OpenEnvironment, type ResourceQuestion, type OpeningContext } from "../environment/open-environment.ts";

/** What resources are read with. */
export interface ResourceContext extends OpeningContext, RefusalContext {}

/** A resource that was read now, with the viewer's own credential, and his way to more. */
export interface OpenResource extends OpenEnvironment, NamedResource {
  /** As the cluster sent it. */
  readonly object: KubeObject;
}

/**
 * Reads a resource as the viewer and does something with it.
 *
 * @throws Fault `invalid_request` for invalid names, before any request; `session_ended`, `not_found`, `agent_forbidden`, `environment_forbidden`, `cluster_unavailable`
 */
export async function withResource<T>(
  context: ResourceContext,
  { viewerAccess, request, signal }: ResourceQuestion,
  work: (resource: OpenResource) => Promise<T>,
): Promise<T> {
  const named = namedResource(request.ref);
  const opened = await openEnvironment(context, { viewerAccess, request, signal });
  return readResource(context, { ...named, opened, signal }, work);
}

/** The same for an environment that is open already. */
export async function readResource<T>(
  context: ResourceContext,
  read: NamedResource & { readonly opened: OpenEnvironment; readonly signal: AbortSignal },
  work: (resource: OpenResource) => Promise<T>,
): Promise<T> {
  const { ref, kind, opened, signal } = read;
  try {
    const name = { kind, namespace: ref.namespace, name: ref.name };
    const object = await opened.access.client.get(name, signal);
    return await work({ ...opened, ref, kind, object });
  } catch (error) {
    throw await asFault(context, { opened, error }, signal);
  }
}

/** A failure of a request to the cluster as the caller sees it; whatever else was thrown stays what it is. */
export async function asFault(
  context: RefusalContext,
  { opened, error }: { readonly opened: OpenEnvironment; readonly error: unknown },
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof KubeClientError)) return error;
  if (error.failure !== "unauthorized") return faultOf(error);
  const { viewer, environment } = opened;
  const returnPath = environmentPath(environment.projectPath, environment.name);
  const problem = await whyRefused(context, { ...opened, returnPath }, signal);
  const forbidden = agentForbidden(context.wording, environment, viewer);
  const english = (each: Problem): string => renderEnglish(each.words && fromWordsMessage(each.words));
  if (problem && problem.kind !== forbidden.kind) return new Fault("session_ended", english(problem), { cause: error });
  return new Fault("agent_forbidden", english(forbidden), { cause: error });
}

function faultOf(error: KubeClientError): Fault {
  const code = apiCodeOf(error);
  if (code === 404) return new Fault("not_found", error.message, { cause: error });
  if (code === 403) return new Fault("environment_forbidden", error.message, { cause: error });
  return new Fault("cluster_unavailable", error.message, { cause: error, retryAfterSeconds: 5 });
}
