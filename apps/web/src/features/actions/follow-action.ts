import { ActionKind } from "@binnacle/proto/action-enums";
import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../../ui/format-time.ts";
import { statusOf } from "../live/health-status.ts";
import type { LiveNode } from "../live/live-node.ts";
import { isCreation, isRemoval, type ActionIntent } from "./action-intent.ts";

/** A rollout that takes longer is shown as still running; the page continues to follow it. */
export const SLOW_MS = 5 * 60_000;
/** A workload that was broken before is broken until its first new pod is there: only then it has failed. */
const FAILING_MS = 10_000;
/** Without a field that tells, any change of the resource after this time is taken for the action's. */
const ANY_CHANGE_MS = 5_000;
/** A view that shows no change by then had it before it was confirmed. */
const NO_CHANGE_MS = 30_000;

/** What the view had of a resource when an action on it was confirmed. */
export interface NodeMark {
  readonly revision: number;
  /** Of its specification, milliseconds since the epoch; absent where nothing says so. */
  readonly changedMs?: number;
  readonly createdMs?: number;
  readonly images: readonly string[];
}

/** What the cluster makes of an action that is written. */
export interface Follow {
  /**
   * - `waiting`: the view does not show the change yet
   * - `progressing`, `slow`: controllers are at work, `slow` for more than five minutes
   * - `failed`: it is degraded; it may recover
   * - `settled`: it is as it should be: this is the end
   * - `gone`: the resource was deleted, or created anew: this is the end, and what a deletion is for
   */
  readonly kind: "waiting" | "progressing" | "slow" | "failed" | "settled" | "gone";
  /** When the view first showed the change, by the server's clock. */
  readonly seenMs?: number;
  /** When it had settled or was gone, by the server's clock; absent for an action that is done at once. */
  readonly endedMs?: number;
}

export const FOLLOW_BEGINS: Follow = { kind: "waiting" };

/** What an action needs of a resource, which need not be in the view. */
export type ActedNode = Pick<LiveNode, "id" | "ref" | "life" | "revision" | "changedAt" | "createdAt" | "images">;

export function markOf({ revision, changedAt, createdAt, images }: ActedNode): NodeMark {
  return { revision, images, ...(changedAt && { changedMs: millisOf(changedAt) }), ...(createdAt && { createdMs: millisOf(createdAt) }) };
}

/** An action that is written, and the resource as a view has it that is current. Times are of the server's clock. */
export interface Followed {
  readonly intent: ActionIntent;
  readonly mark: NodeMark;
  readonly writtenMs: number;
  /** Absent: it was deleted. */
  readonly node: LiveNode | undefined;
  readonly nowMs: number;
}

/** The next state. The one before is returned where nothing changes. */
export function followStep(before: Follow, followed: Followed): Follow {
  if (before.kind === "settled" || before.kind === "gone") return before;
  const { node, nowMs } = followed;
  if (node === undefined || isAnother(node, followed.mark)) return { ...before, kind: "gone", endedMs: nowMs };
  // Its own resource stays as it is.
  if (isCreation(followed.intent.kind)) return { ...before, kind: "settled", endedMs: nowMs };
  if (isRemoval(followed.intent.kind)) {
    const kind = nowMs - followed.writtenMs >= SLOW_MS ? "slow" : "progressing";
    return kind === before.kind ? before : { ...before, kind };
  }
  const seenMs = before.seenMs ?? (isSeen(node, followed) ? nowMs : undefined);
  const kind = kindOf(seenMs, node, followed);
  if (kind === before.kind && seenMs === before.seenMs) return before;
  return { kind, ...(seenMs !== undefined && { seenMs }), ...(kind === "settled" && { endedMs: nowMs }) };
}

function kindOf(seenMs: number | undefined, node: LiveNode, { writtenMs, nowMs }: Followed): Follow["kind"] {
  if (seenMs === undefined) return "waiting";
  const running = nowMs - writtenMs >= SLOW_MS ? "slow" : "progressing";
  switch (statusOf(node)) {
    case HealthStatus.DEGRADED:
      return nowMs - seenMs < FAILING_MS ? running : "failed";
    case HealthStatus.PROGRESSING:
    case HealthStatus.MISSING:
    case HealthStatus.UNKNOWN:
      return running;
    default:
      // A specification that its controller has not observed yet counts as progressing, so this health is of the new one.
      return "settled";
  }
}

function isAnother({ createdAt }: LiveNode, { createdMs }: NodeMark): boolean {
  return createdAt !== undefined && createdMs !== undefined && millisOf(createdAt) !== createdMs;
}

/** Whether the view has the resource with the change, as far as it can tell. */
function isSeen(node: LiveNode, { intent, mark, writtenMs, nowMs }: Followed): boolean {
  const { changedAt, revision, wanted, images } = node;
  if (intent.kind === ActionKind.SCALE) return wanted === intent.replicas || nowMs - writtenMs >= NO_CHANGE_MS;
  const { image } = intent;
  if (intent.kind === ActionKind.SET_IMAGE && image !== undefined && images.includes(image) && !mark.images.includes(image)) return true;
  if (changedAt !== undefined && millisOf(changedAt) !== mark.changedMs) return true;
  const sinceMs = nowMs - writtenMs;
  return (revision !== mark.revision && sinceMs >= ANY_CHANGE_MS) || sinceMs >= NO_CHANGE_MS;
}
