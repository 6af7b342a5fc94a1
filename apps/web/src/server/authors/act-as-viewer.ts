import { act, type ActionOutcome, type Actor, type ByteBudget, type KubeAction } from "@binnacle/environment-view";
import type { KubeObject } from "@binnacle/kube";

import { rememberAct, type ActsContext } from "./viewer-act.ts";
import { actionAudit, type AuditContext } from "../audit/audit-sink.ts";
import type { ConnectedEnvironment } from "../environment/connected-environment.ts";
import type { MainViewer } from "../main-application/records.ts";
import { reviewIdentity } from "../kas/cluster-identity.ts";
import type { KasAccess } from "../kas/kas-access.ts";
import type { IdentitiesContext } from "../kas/proved-identities.ts";

/** What objects are changed with. */
export interface ActingContext extends IdentitiesContext, AuditContext, ActsContext {
  /** What answers of all clusters may hold while they are read. */
  readonly reading: ByteBudget;
}

/** A viewer at the cluster of an environment. */
interface ViewerAtCluster {
  readonly viewer: MainViewer;
  readonly environment: ConnectedEnvironment;
  readonly access: KasAccess;
}

/** Whose change it is, for the log: the name to the cluster is empty where the cluster does not say. @throws KubeClientError */
export async function actorOf({ pictures }: IdentitiesContext, by: ViewerAtCluster, signal: AbortSignal): Promise<Actor> {
  const { viewer, environment, access } = by;
  const identity = pictures.identities.of(viewer.username, access)?.identity ?? (await reviewIdentity(access.client, signal));
  return { viewer: viewer.username, clusterUser: identity?.username ?? "", cluster: environment.agent.name };
}

/**
 * Changes one object as the viewer, once, with its line in the audit and the viewer's name in the journal.
 *
 * @param by `actor`: whose change it is, where that is known, read before otherwise; `object`: what the action is about, as it was read
 * @param name of the action
 * @param purpose what it is for, in names, besides project and environment
 * @throws KubeClientError before anything was sent, when the viewer's identity cannot be read
 */
export async function actAsViewer(
  context: ActingContext,
  by: ViewerAtCluster & { readonly actor?: Actor; readonly object: KubeObject },
  sent: KubeAction & { readonly name: string; readonly purpose: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<ActionOutcome> {
  const { name, purpose, signal, ...action } = sent;
  const { viewer, environment, access, object, actor = await actorOf(context, by, signal) } = by;
  const { clock, reading } = context;
  const about = { ...purpose, project_path: environment.projectPath, environment: environment.name };
  const log = actionAudit(context, access.agentId);
  const begunMs = clock.now();
  const outcome = await act(action, { transport: access.client.transport, actor, log, purpose: about, reading, clock }, signal);
  rememberAct(context, { viewer, environment, action, name, outcome, object, begunMs });
  return outcome;
}
