import type { AgentMoment, DeliveryEvent, EnvironmentEvent, ResourceRef } from "@binnacle/proto/dashboard";
import { GitopsState } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../../ui/format-time.ts";
import { messageText } from "../../ui/messages.ts";
import type { EventsContent } from "../live/events-content.ts";

/** What of the events is shown, and in which order. */
export interface EventsQuery {
  readonly q: string;
  readonly namespaces: readonly string[];
  readonly kinds: readonly string[];
  readonly reasons: readonly string[];
  /** "Warning" or "Normal"; empty shows all. */
  readonly type: string;
  /** "warnings" for groups with most warnings first; else the newest. */
  readonly order: string;
}

/** Something that has happened, whatever tells of it. */
export type Happening = { readonly id: string; readonly atMs: number | undefined; readonly isWarning: boolean } & (
  { readonly event: EnvironmentEvent } | { readonly moment: AgentMoment } | { readonly delivery: DeliveryEvent }
);

/** What has happened to one workload, to the agent, or in delivery. */
export interface EventGroup {
  readonly key: string;
  /** Absent: it is the agent, or delivery. */
  readonly workload: ResourceRef | undefined;
  /** Newest first; never empty. */
  readonly happenings: readonly Happening[];
  readonly warnings: number;
}

/** What can be chosen among, of all there is. */
export interface EventFacets {
  readonly kinds: readonly string[];
  readonly namespaces: readonly string[];
  readonly reasons: readonly string[];
  readonly warnings: number;
}

/** Key of the group of the agent's own life. */
export const AGENT = "agent";

/** Key of the group of deployments and syncs. */
export const DELIVERY = "delivery";

/** Events that match, by workload; the agent's own life is a group of its own, and so are deployments and syncs. */
export function eventGroups({ events, life }: EventsContent, query: EventsQuery, delivery: readonly DeliveryEvent[] = []): EventGroup[] {
  const groups = new Map<string, { workload: ResourceRef | undefined; happenings: Happening[] }>();
  const add = (key: string, workload: ResourceRef | undefined, happening: Happening): void => {
    const group = groups.get(key) ?? { workload, happenings: [] };
    groups.set(key, group);
    group.happenings.push(happening);
  };
  for (const event of events.values())
    if (matchesEvent(event, query)) add(workloadKey(event.workload), event.workload, happeningOfEvent(event));
  for (const moment of life.values()) if (matchesMoment(moment, query)) add(AGENT, undefined, happeningOfMoment(moment));
  for (const event of delivery)
    if (matchesMoment({ words: event.words, warning: hasFailed(event) }, query)) add(DELIVERY, undefined, happeningOfDelivery(event));
  const all = Array.from(groups, ([key, { workload, happenings }]): EventGroup => {
    const sorted = happenings.toSorted(newestFirst);
    return { key, workload, happenings: sorted, warnings: sorted.filter(({ isWarning }) => isWarning).length };
  });
  return all.toSorted((a, b) => (query.order === "warnings" ? b.warnings - a.warnings : 0) || byNewest(a, b));
}

/** What there is to choose among. */
export function eventFacets({ events }: EventsContent): EventFacets {
  const [kinds, namespaces, reasons] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let warnings = 0;
  for (const { event, workload } of events.values()) {
    for (const kind of [event?.regarding?.kind, workload?.kind]) if (kind !== undefined) kinds.add(kind);
    if (event?.regarding !== undefined && event.regarding.namespace !== "") namespaces.add(event.regarding.namespace);
    if (event !== undefined) reasons.add(event.reason);
    if (event?.type === "Warning") warnings += 1;
  }
  return { kinds: [...kinds].sort(), namespaces: [...namespaces].sort(), reasons: [...reasons].sort(), warnings };
}

/** Names a workload among others. */
export function workloadKey(ref: ResourceRef | undefined): string {
  return ref === undefined ? "" : [ref.group, ref.kind, ref.namespace, ref.name].join("/");
}

function matchesEvent({ event, workload }: EnvironmentEvent, { q, namespaces, kinds, reasons, type }: EventsQuery): boolean {
  const about = event?.regarding;
  if (type !== "" && (event?.type === "Warning") !== (type === "Warning")) return false;
  if (namespaces.length > 0 && !namespaces.includes(about?.namespace ?? "")) return false;
  if (kinds.length > 0 && !kinds.includes(about?.kind ?? "") && !kinds.includes(workload?.kind ?? "")) return false;
  if (reasons.length > 0 && !reasons.includes(event?.reason ?? "")) return false;
  return contains(q, [event?.reason, event?.message, event?.source, about?.name, about?.kind, workload?.name, workload?.kind]);
}

/** It is of no kind, of no namespace, and has no reason: who asks for some of these does not ask for it. */
function matchesMoment(
  { words, warning }: Pick<AgentMoment, "words" | "warning">,
  { q, namespaces, kinds, reasons, type }: EventsQuery,
): boolean {
  if (namespaces.length + kinds.length + reasons.length > 0) return false;
  return (type === "" || warning === (type === "Warning")) && contains(q, [messageText(words)]);
}

function contains(q: string, texts: readonly (string | undefined)[]): boolean {
  const wanted = q.trim().toLowerCase();
  return wanted === "" || texts.some((text) => text?.toLowerCase().includes(wanted) === true);
}

function happeningOfEvent(event: EnvironmentEvent): Happening {
  const at = event.event?.lastAt;
  return { id: event.id, atMs: at && millisOf(at), isWarning: event.event?.type === "Warning", event };
}

function happeningOfMoment(moment: AgentMoment): Happening {
  return { id: `${AGENT} ${moment.number}`, atMs: moment.at && millisOf(moment.at), isWarning: moment.warning, moment };
}

function happeningOfDelivery(delivery: DeliveryEvent): Happening {
  const atMs = delivery.at && millisOf(delivery.at);
  return { id: `${DELIVERY} ${delivery.kind} ${delivery.project} ${atMs}`, atMs, isWarning: hasFailed(delivery), delivery };
}

function hasFailed({ result }: DeliveryEvent): boolean {
  return result === GitopsState.FAILED || result === GitopsState.INVALID;
}

function newestFirst(one: Happening, other: Happening): number {
  const numberOf = (each: Happening): number => ("moment" in each ? each.moment.number : 0);
  return (other.atMs ?? 0) - (one.atMs ?? 0) || numberOf(other) - numberOf(one) || (one.id < other.id ? -1 : 1);
}

function byNewest(one: EventGroup, other: EventGroup): number {
  return (other.happenings[0]?.atMs ?? 0) - (one.happenings[0]?.atMs ?? 0) || (one.key < other.key ? -1 : 1);
}
