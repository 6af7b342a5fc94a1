import { HttpKubeClient, type KubeClient, type KubeTransport } from "@binnacle/environment-view";
import type { Viewer } from "@binnacle/proto/kas-views";

import { identityOfConfig, type ImpersonatedIdentity } from "../cluster-access/impersonation.ts";
import { accessReviewsVia } from "./rights/access-reviews.ts";
import type { ProvedViewer } from "./rights/rights-book.ts";

/** A viewer of views. */
export interface AgentViewer extends ProvedViewer {
  /** Reads the cluster as the viewer, by impersonation. */
  readonly client: KubeClient;
}

/** Creates a transport to the API server that impersonates an identity; absent: as the agent itself. */
export type TransportAs = (identity: ImpersonatedIdentity | undefined) => KubeTransport;

/** As whom kas asks. */
export function viewerOf(viewer: Viewer | undefined, transportAs: TransportAs): AgentViewer {
  const identity = identityOfConfig(viewer?.identity);
  const transport = transportAs(identity);
  return { key: keyOf(identity), reviews: accessReviewsVia(transport), client: new HttpKubeClient(transport) };
}

function keyOf(identity: ImpersonatedIdentity | undefined): string {
  if (identity === undefined) return "agent";
  const { username, uid, groups, extra } = identity;
  const extras = [...extra].map(([name, values]) => [name, values.toSorted()] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([username, uid, groups.toSorted(), extras]);
}
