import type { ResourceEvent } from "@binnacle/proto/dashboard";
import { ActionKind } from "@binnacle/proto/action-enums";
import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../../ui/format-time.ts";
import { tLater } from "../../ui/messages.ts";
import type { EnvironmentStore } from "../live/environment-store.ts";
import { statusOf } from "../live/health-status.ts";
import type { LiveNode } from "../live/live-node.ts";
import { isBelow } from "../events/family-events.ts";
import type { Attempt } from "./action-attempt.ts";

/** More Events belong into the tab. */
const MAX_EVENTS = 3;
/** Times of the cluster have whole seconds. */
const SECOND_MS = 1_000;

/** The time that an action was written and, once its following has ended, when that was. Milliseconds since the epoch. */
export interface ActionSpan {
  readonly sinceMs: number;
  readonly untilMs?: number;
}

/**
 * When the changes after an action happen. The beginning is by the cluster's clock once the view shows when the specification was written, before that
 * by the server's. @returns `undefined` for an action that was not written, or that no controller follows
 */
export function actionSpan({ action, state, follow }: Attempt, node: Pick<LiveNode, "changedAt"> | undefined): ActionSpan | undefined {
  if (state.kind !== "written") return undefined;
  const { kind, endedMs } = follow;
  if (kind === "settled" && endedMs === undefined) return undefined;
  const changedMs = node?.changedAt && millisOf(node.changedAt);
  const startMs = changedMs === undefined || changedMs === action.mark.changedMs ? state.atMs : changedMs;
  return { sinceMs: Math.floor(startMs / SECOND_MS) * SECOND_MS, ...(endedMs !== undefined && { untilMs: endedMs }) };
}

/** Pods of a workload since an action, those that have ended or failed not counted. */
export interface PodCounts {
  /** Ready, created since then. */
  readonly replaced: number;
  /** Ready, created earlier. */
  readonly earlier: number;
  readonly starting: number;
  /** Being deleted. */
  readonly ending: number;
}

/** Counts the pods below a node; `undefined` for one that has no number of replicas. */
export function podCounts(
  store: Pick<EnvironmentStore, "node" | "nodeOf" | "nodes">,
  node: Pick<LiveNode, "id" | "wanted">,
  { sinceMs }: ActionSpan,
): PodCounts | undefined {
  if (node.wanted < 0) return undefined;
  const counts = { replaced: 0, earlier: 0, starting: 0, ending: 0 };
  for (const pod of store.nodes.values()) {
    if (pod.ref?.kind !== "Pod" || pod.ref.group !== "" || hasEnded(pod) || !isBelow(store, node.id, pod)) continue;
    if (pod.deletingSince !== undefined) counts.ending += 1;
    else if (statusOf(pod) !== HealthStatus.HEALTHY) counts.starting += 1;
    else if (pod.createdAt !== undefined && millisOf(pod.createdAt) >= sinceMs) counts.replaced += 1;
    else counts.earlier += 1;
  }
  return counts;
}

/** A pod that has ended or failed has no node any more; one that waits for a node has none yet. */
function hasEnded(pod: LiveNode): boolean {
  return pod.nodeName === "" && statusOf(pod) !== HealthStatus.PROGRESSING;
}

/** Actions that replace the pods of a workload. */
const REPLACING: ReadonlySet<ActionKind> = new Set([
  ActionKind.RESTART,
  ActionKind.SET_IMAGE,
  ActionKind.ROLL_BACK,
  ActionKind.RESUME,
  ActionKind.EDIT,
]);

/** The pods of a workload that come and go, in a sentence; empty where none does. */
export function podsText(kind: ActionKind, { replaced, earlier, starting, ending }: PodCounts, wanted: number): string {
  const moving = { starting: starting || undefined, ending: ending || undefined };
  if (REPLACING.has(kind)) {
    return replaced + starting + ending === 0 ? "" : tLater("actions/pods-replaced", { replaced, total: wanted, ...moving });
  }
  return starting + ending === 0 ? "" : tLater("actions/pods-moving", { ready: replaced + earlier, ...moving });
}

/** At most three Events of the span: warnings first, then the newest. */
export function recentEvents(events: readonly ResourceEvent[], { sinceMs, untilMs = Infinity }: ActionSpan): readonly ResourceEvent[] {
  const lastMs = ({ lastAt }: ResourceEvent): number => (lastAt === undefined ? Number.NaN : millisOf(lastAt));
  const isWarning = ({ type }: ResourceEvent): number => Number(type === "Warning");
  return events
    .filter((event) => lastMs(event) >= sinceMs && lastMs(event) <= untilMs)
    .toSorted((a, b) => isWarning(b) - isWarning(a) || lastMs(b) - lastMs(a))
    .slice(0, MAX_EVENTS);
}
