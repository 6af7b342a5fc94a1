import type { Change, Deployment, GetResourceResponse, ResourceEvent } from "@binnacle/proto/dashboard";
import { millisOf } from "../../ui/format-time.ts";

/** Something that has happened to a resource: what the cluster reported of it, what somebody changed, or what was deployed around it. */
export type Moment = { readonly atMs: number | undefined } & (
  { readonly event: ResourceEvent } | { readonly change: Change } | { readonly deployment: Deployment }
);

/**
 * Events, changes and deployments, newest first; what has no time comes last. Of equals the change comes after the Event that it led to, and the
 * deployment after both.
 */
export function momentsOf({ events, changes, deployments }: Pick<GetResourceResponse, "events" | "changes" | "deployments">): Moment[] {
  const at = (time: ResourceEvent["lastAt"]): number | undefined => (time === undefined ? undefined : millisOf(time));
  const moments: Moment[] = [
    ...events.map((event) => ({ event, atMs: at(event.lastAt) })),
    ...changes.map((change) => ({ change, atMs: at(change.at) })),
    ...deployments.map((deployment) => ({ deployment, atMs: at(deployment.at) })),
  ];
  return moments.toSorted((a, b) => (b.atMs ?? Number.NEGATIVE_INFINITY) - (a.atMs ?? Number.NEGATIVE_INFINITY) || 0);
}
