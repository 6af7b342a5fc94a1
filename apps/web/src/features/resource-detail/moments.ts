import type { Change, Deployment, GetResourceResponse, ResourceEvent } from "@binnacle/proto/dashboard";
import { millisOf } from "../../ui/format-time.ts";

/** Something that has happened to a resource: what the cluster reported of it, what somebody changed, or what was deployed around it. */
export type Moment = { readonly atMs: number | undefined } & (
  { readonly event: ResourceEvent } | { readonly change: Change } | { readonly deployment: Deployment }
);

/**
 * Events, changes and deployments, newest first; what has no time comes last. Of equals the change comes after the Event that it led to, and the
 * deployment after both. Events have seconds: within one, the later step in the life of a pod is the newer.
 */
export function momentsOf({ events, changes, deployments }: Pick<GetResourceResponse, "events" | "changes" | "deployments">): Moment[] {
  const at = (time: ResourceEvent["lastAt"]): number | undefined => (time === undefined ? undefined : millisOf(time));
  const moments: Moment[] = [
    ...events.map((event) => ({ event, atMs: at(event.lastAt) })),
    ...changes.map((change) => ({ change, atMs: at(change.at) })),
    ...deployments.map((deployment) => ({ deployment, atMs: at(deployment.at) })),
  ];
  return moments.toSorted(
    (a, b) => (b.atMs ?? Number.NEGATIVE_INFINITY) - (a.atMs ?? Number.NEGATIVE_INFINITY) || stepOf(b) - stepOf(a) || 0,
  );
}

/** Reasons of Events in the order in which a pod that comes up has them; all others come after them. */
const STEPS: readonly string[] = ["FailedScheduling", "Scheduled", "SuccessfulAttachVolume", "Pulling", "Pulled", "Created", "Started"];

/** The step of an Event; what is no Event has none and keeps its place among its equals. */
function stepOf(moment: Moment): number {
  if (!("event" in moment)) return -1;
  const step = STEPS.indexOf(moment.event.reason);
  return step < 0 ? STEPS.length : step;
}
