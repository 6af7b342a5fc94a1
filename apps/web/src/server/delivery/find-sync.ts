import { fieldsAt, INVENTORY_LABEL, textAt, type KubeObject } from "@binnacle/kube";
import type { GitopsTarget } from "@binnacle/proto/dashboard";
import { Fault } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import { hasAgent, openKasAccess, type ConnectedEnvironment, type KasAccessContext } from "../environment/connected-environment.ts";
import { MessageFault } from "../base/message-fault.ts";
import { sessionEnded } from "../base/session-ended.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { lookUpEnvironment, type LookUpContext } from "../environment/look-up-environment.ts";
import type { KasAccess } from "../kas/kas-access.ts";
import type { MainViewer } from "../main-application/records.ts";
import { scopeOf } from "../main-application/scope-of.ts";
import { AgentSyncs, type ShownSync } from "./agent-syncs.ts";
import { valueOf } from "./delivery.ts";
import type { SyncsContext } from "../syncs/gitops-syncs.ts";

/** What a sync is found with. */
export interface FindSyncContext extends LookUpContext, KasAccessContext, SyncsContext {}

/** A sync of an environment, and the viewer's way to its inventory. */
export interface FoundSync {
  readonly viewer: MainViewer;
  readonly environment: ConnectedEnvironment;
  readonly access: KasAccess;
  readonly sync: ShownSync;
}

/** Who asks for which sync. */
export interface SyncQuestion {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly target: GitopsTarget | undefined;
}

/**
 * The sync that a page names by its inventory. Only what kas tells this viewer of this environment's syncs counts: a page may send any name.
 *
 * @throws Fault `invalid_request`, `session_ended`; `not_found` when it is none of the environment's; `cluster_unavailable` when the syncs are not known
 */
export async function findSync(context: FindSyncContext, { viewerAccess, target }: SyncQuestion, signal: AbortSignal): Promise<FoundSync> {
  if (!target || target.inventoryNamespace === "" || target.inventoryName === "")
    throw new Fault("invalid_request", "the inventory is not named");
  if (!viewerAccess) throw sessionEnded();
  const { projectPath, inventoryNamespace: namespace, inventoryName: name } = target;
  const { viewer, environment } = await lookUpEnvironment(context, viewerAccess, { projectPath, environment: target.environment, signal });
  if (!hasAgent(environment)) throw new MessageFault("not_found", words("problem/no-agent"));
  const access = openKasAccess(context, viewerAccess, environment);
  const sync = await syncOf(context, { viewerAccess, environment, access }, { namespace, name });
  return { viewer, environment, access, sync };
}

/** The sync of an environment that is open, by its inventory. @throws Fault as `findSync` */
export async function syncOf(
  context: SyncsContext,
  { viewerAccess, environment, access }: Pick<FoundSync, "environment" | "access"> & { readonly viewerAccess: ViewerAccess },
  { namespace, name }: { readonly namespace: string; readonly name: string },
): Promise<ShownSync> {
  const syncs = new AgentSyncs({ gitops: context.gitops, viewerAccess, access });
  const scope = scopeOf(environment);
  if (!(await syncs.read([scope])))
    throw new MessageFault("cluster_unavailable", words("gitops/no-agent-report", { environment: environment.name }));
  const member = syncs.of(scope);
  const list = member && valueOf(member);
  // A list that kas gives now is an answer, even where the agent has not reported all of its projects.
  const isUnanswered = member === undefined || (member.state === "unknown" && member.asOfMs !== undefined);
  if (list === undefined && isUnanswered)
    throw new MessageFault("cluster_unavailable", words("gitops/no-agent-report", { environment: environment.name }));
  const sync = list?.find((each) => each.inventoryNamespace === namespace && each.inventoryName === name);
  if (!sync) throw new MessageFault("not_found", words("gitops/no-inventory", { namespace, name, environment: environment.name }));
  return sync;
}

/** Whether a ConfigMap has the mark of the inventory that was reported: an agent may report anything. */
export function isMarked({ metadata }: KubeObject, inventoryId: string): boolean {
  const id = textAt(fieldsAt(metadata, "labels"), INVENTORY_LABEL);
  return id !== "" && id === inventoryId;
}
