import type { ViewScope } from "@binnacle/environment-view";
import type { ResourceRef } from "@binnacle/proto/dashboard";
import { Fault } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import { hasAgent, openKasAccess, type ConnectedEnvironment, type KasAccessContext } from "./connected-environment.ts";
import { MessageFault } from "../base/message-fault.ts";
import { sessionEnded } from "../base/session-ended.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { lookUpEnvironment, type LookUpContext } from "./look-up-environment.ts";
import type { KasAccess } from "../kas/kas-access.ts";
import type { MainViewer } from "../main-application/records.ts";
import { scopeOf } from "../main-application/scope-of.ts";

/** What environments are opened with. */
export interface OpeningContext extends LookUpContext, KasAccessContext {}

/** Who asks for which resource of which environment. */
export interface ResourceQuestion {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly request: { readonly projectPath: string; readonly environment: string; readonly ref?: ResourceRef | undefined };
  readonly signal: AbortSignal;
}

/** An environment that a viewer may see, and his way to its agent. */
export interface OpenEnvironment {
  readonly viewer: MainViewer;
  readonly viewerAccess: ViewerAccess;
  readonly environment: ConnectedEnvironment;
  readonly access: KasAccess;
  readonly scope: ViewScope;
}

/**
 * The environment of a question, of whose namespaces the resource is, where it names one; a Node is of no namespace, and its pods are of all. No
 * request is sent to the cluster.
 *
 * @throws Fault `session_ended`; `not_found` for an environment without an agent, and a resource of another namespace; as `lookUpEnvironment`
 */
export async function openEnvironment(
  context: OpeningContext,
  { viewerAccess, request, signal }: ResourceQuestion,
): Promise<OpenEnvironment> {
  if (!viewerAccess) throw sessionEnded();
  const { projectPath, ref } = request;
  const { viewer, environment } = await lookUpEnvironment(context, viewerAccess, {
    projectPath,
    environment: request.environment,
    signal,
  });
  if (!hasAgent(environment)) throw new MessageFault("not_found", words("problem/no-agent"));
  const scope = scopeOf(environment);
  if (ref !== undefined) requireInScope(ref, scope, environment.name);
  return { viewer, viewerAccess, environment, access: openKasAccess(context, viewerAccess, environment), scope };
}

/** @throws Fault `not_found` for a resource of a namespace that is not one of the environment; a Node is of none */
export function requireInScope(ref: ResourceRef, scope: ViewScope, environment: string): void {
  if (isInScope(ref, scope)) return;
  throw new Fault("not_found", `The resource is not in a namespace of ${environment}.`);
}

/** Whether a resource is of a namespace of the environment; a Node is of none. */
export function isInScope(ref: ResourceRef, { namespaces }: ViewScope): boolean {
  return namespaces.length === 0 || namespaces.includes(ref.namespace) || isNode(ref);
}

function isNode({ group, resource, namespace }: ResourceRef): boolean {
  return group === "" && resource === "nodes" && namespace === "";
}
