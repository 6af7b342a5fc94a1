import type { EnvironmentRow } from "@binnacle/proto/dashboard";
import { ConnectionState, ProblemKind, RowGap } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../text/format-time.ts";
import { isForbidden } from "./row-order.ts";

/** A value that was kept over a break of the stream may be shown as if nothing had happened for so long: a reconnect is no news. */
const KEPT_GRACE_MS = 3_000;
/** A look comes late by its own length, and by the way to here. */
const LATE_GRACE_MS = 15_000;

/** What is away on the way to a cluster. */
type AwayReason = "agent-offline" | "kas-unreachable" | "api-down";

const AWAY: Partial<Record<ConnectionState, AwayReason>> = {
  [ConnectionState.AGENT_OFFLINE]: "agent-offline",
  [ConnectionState.KAS_UNREACHABLE]: "kas-unreachable",
  [ConnectionState.API_DOWN]: "api-down",
};

/** Why numbers are not of now. */
export type OldReason = AwayReason | "reconnecting" | "failed" | "late" | "stream";

/**
 * How well a row is known.
 * - `fresh`: its numbers are of now, or of a look that is not older than it says.
 * - `old`: they were so at a time.
 * - `unknown`: there are none yet. Never the same as "nothing is wrong".
 * - `outside`: there will be none: no agent, or not for this viewer.
 */
export type RowKnowledge =
  | { readonly kind: "fresh" }
  | { readonly kind: "old"; readonly asOfMs: number; readonly why: OldReason }
  | { readonly kind: "unknown"; readonly why: "loading" | AwayReason | "never-connected" | "failed" | "too-large" }
  | { readonly kind: "outside" };

/** What is known about the stream and the clock. */
export interface StreamStanding {
  /** The server's time, milliseconds since the epoch. */
  readonly nowMs: number;
  /** Since when the stream is broken or silent; `undefined` while it is well. */
  readonly lostSinceMs: number | undefined;
  /** Rows whose numbers are of an earlier stream, by name, and since when. */
  readonly kept: ReadonlyMap<string, number>;
  /** Rows are as the page was sent: of then, which the page says once for all. */
  readonly isAsSent?: boolean;
}

/** How well a row is known now. */
export function knowledgeOf(row: EnvironmentRow, standing: StreamStanding): RowKnowledge {
  const state = row.connection?.state;
  if (isForbidden(row) || row.problem?.kind === ProblemKind.NO_AGENT) return { kind: "outside" };
  if (row.health === undefined) {
    if (row.problem !== undefined || row.gap === RowGap.FAILED) return { kind: "unknown", why: "failed" };
    if (row.gap === RowGap.TOO_LARGE) return { kind: "unknown", why: "too-large" };
    if (state === ConnectionState.AGENT_NEVER_CONNECTED) return { kind: "unknown", why: "never-connected" };
    return { kind: "unknown", why: awayOf(state) ?? "loading" };
  }
  const why = oldReasonOf(row, standing);
  return why === undefined ? { kind: "fresh" } : { kind: "old", asOfMs: asOfMsOf(row), why };
}

/** What is away; `undefined` when nothing is, for all that is known. */
export function awayOf(state: ConnectionState | undefined): AwayReason | undefined {
  return state === undefined ? undefined : AWAY[state];
}

/** When the numbers of a row were so, milliseconds since the epoch; 0 when nothing tells. */
export function asOfMsOf(row: EnvironmentRow): number {
  return row.asOf === undefined ? 0 : millisOf(row.asOf);
}

/** How often a row is looked at, in milliseconds; `undefined` when it is live. */
export function everyMsOf(row: EnvironmentRow): number | undefined {
  return row.live || row.every === undefined ? undefined : Number(row.every.seconds) * 1_000 + row.every.nanos / 1e6;
}

function oldReasonOf(row: EnvironmentRow, { nowMs, lostSinceMs, kept, isAsSent = false }: StreamStanding): OldReason | undefined {
  const state = row.connection?.state;
  if (state === ConnectionState.AGENT_NEVER_CONNECTED) return "agent-offline";
  const away = awayOf(state);
  if (away !== undefined) return away;
  if (isAsSent) return undefined;
  if (lostSinceMs !== undefined) return "stream";
  if (row.problem !== undefined || row.gap === RowGap.FAILED || row.gap === RowGap.TOO_LARGE) return "failed";
  const keptSinceMs = kept.get(row.environment?.name ?? "");
  if (keptSinceMs !== undefined) return nowMs - keptSinceMs > KEPT_GRACE_MS ? "reconnecting" : undefined;
  if (state !== ConnectionState.CONNECTED) return "reconnecting";
  const everyMs = everyMsOf(row);
  if (everyMs === undefined) return row.live ? undefined : "late";
  return nowMs - asOfMsOf(row) > 2 * everyMs + LATE_GRACE_MS ? "late" : undefined;
}
