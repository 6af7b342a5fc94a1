import type { Change, GetResourceResponse, ResourceEvent } from "@binnacle/proto/dashboard";
import { millisOf } from "../../ui/format-time.ts";

/** Something that has happened to a resource: what the cluster reported of it, or what somebody changed. */
export type Moment = { readonly atMs: number | undefined } & ({ readonly event: ResourceEvent } | { readonly change: Change });

/** Events and changes of a resource, newest first; what has no time comes last. Of equals the change comes after the Event that it led to. */
export function momentsOf({ events, changes }: Pick<GetResourceResponse, "events" | "changes">): Moment[] {
  const moments: Moment[] = [
    ...events.map((event) => ({ event, atMs: event.lastAt === undefined ? undefined : millisOf(event.lastAt) })),
    ...changes.map((change) => ({ change, atMs: change.at === undefined ? undefined : millisOf(change.at) })),
  ];
  return moments.toSorted((a, b) => (b.atMs ?? Number.NEGATIVE_INFINITY) - (a.atMs ?? Number.NEGATIVE_INFINITY) || 0);
}
