import type { Actor } from "@binnacle/environment-view";

import type { BffContext, ConnectedEnvironment } from "../bff-context.ts";
import type { MainViewer } from "../view/environment-query.ts";
import { reviewIdentity } from "./cluster-identity.ts";
import type { KasAccess } from "./kas-access.ts";

/** Whose change it is, for the log: the name to the cluster is empty where the cluster does not say. @throws KubeClientError */
export async function actorOf(
  { pictures }: Pick<BffContext, "pictures">,
  by: { readonly viewer: MainViewer; readonly environment: ConnectedEnvironment; readonly access: KasAccess },
  signal: AbortSignal,
): Promise<Actor> {
  const { viewer, environment, access } = by;
  const identity = pictures.identities.of(viewer.username, access)?.identity ?? (await reviewIdentity(access.client, signal));
  return { viewer: viewer.username, clusterUser: identity?.username ?? "", cluster: environment.agent.name };
}
