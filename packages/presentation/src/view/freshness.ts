import { ConnectionState } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../text/format-time.ts";
import type { ViewState } from "./view-state.ts";

/** Without any message for this long the view is reconnecting: heartbeats are at most 15 s apart. */
const RECONNECTING_AFTER_MS = 15_000;
/** Without any message for this long its values are greyed. */
export const STALE_AFTER_MS = 30_000;
/** A stream that could not be opened again for this long is no hiccup of the network. */
const BFF_AWAY_AFTER_MS = 5_000;

/**
 * How fresh a view is, one of nine, worst reason first. `sinceMs`/`asOfMs` are milliseconds since the epoch, by the server's clock: when
 * it went away (`undefined` when unknown), and when what is shown was last known to be so.
 */
export type Freshness = FreshnessOfWay & {
  /** Set while the viewer has paused the updates: of when what is shown is, whatever the connection does. */
  readonly pausedMs?: number;
};

type FreshnessOfWay =
  | { readonly kind: "connecting" }
  | { readonly kind: "live"; readonly asOfMs: number }
  | { readonly kind: "reconnecting"; readonly asOfMs: number }
  | { readonly kind: "stale"; readonly asOfMs: number }
  | { readonly kind: "bff-unreachable"; readonly sinceMs: number; readonly asOfMs: number; readonly grey: boolean }
  | { readonly kind: "kas-unreachable"; readonly sinceMs: number | undefined; readonly asOfMs: number }
  | { readonly kind: "agent-offline"; readonly sinceMs: number | undefined; readonly asOfMs: number }
  | { readonly kind: "api-down"; readonly sinceMs: number | undefined; readonly asOfMs: number }
  | { readonly kind: "agent-never-connected" };

const AWAY: Readonly<Partial<Record<ConnectionState, "kas-unreachable" | "agent-offline" | "api-down">>> = {
  [ConnectionState.KAS_UNREACHABLE]: "kas-unreachable",
  [ConnectionState.AGENT_OFFLINE]: "agent-offline",
  [ConnectionState.API_DOWN]: "api-down",
};

/**
 * Freshness of a view. A silent stream outweighs its last message; 2 s of grace are added, because a
 * heartbeat due after exactly 15 s arrives a little later.
 */
export function freshnessOf(view: ViewState, nowMs: number): Freshness {
  const { pause } = view;
  const freshness = freshnessOfWay(view, nowMs);
  if (pause === undefined) return freshness;
  const pausedMs = pause.asOfMs;
  return "asOfMs" in freshness ? { ...freshness, asOfMs: Math.min(freshness.asOfMs, pausedMs), pausedMs } : { ...freshness, pausedMs };
}

function freshnessOfWay(view: ViewState, nowMs: number): FreshnessOfWay {
  const { connection, contentAsOfMs, lastMessageMs, stream } = view;
  if (lastMessageMs === 0) return firstFreshness(view);
  const heardMs = contentAsOfMs === 0 ? lastMessageMs : contentAsOfMs;
  const silentMs = nowMs - lastMessageMs;
  if (stream.kind === "lost" && nowMs - stream.sinceMs >= BFF_AWAY_AFTER_MS) {
    return { kind: "bff-unreachable", sinceMs: stream.sinceMs, asOfMs: heardMs, grey: silentMs > STALE_AFTER_MS };
  }
  if (silentMs > STALE_AFTER_MS) return { kind: "stale", asOfMs: heardMs };
  const sinceMs = connection?.since && millisOf(connection.since);
  const asOfMs = contentAsOfMs === 0 ? (view.firstAsOfMs ?? sinceMs ?? heardMs) : Math.min(sinceMs ?? heardMs, contentAsOfMs);
  const away = connection && AWAY[connection.state];
  if (away !== undefined) return { kind: away, sinceMs, asOfMs };
  if (connection?.state === ConnectionState.AGENT_NEVER_CONNECTED) return { kind: "agent-never-connected" };
  if (stream.kind === "lost" || silentMs > RECONNECTING_AFTER_MS + 2_000) return { kind: "reconnecting", asOfMs: heardMs };
  if (connection?.state === ConnectionState.RECONNECTING) return agedOf(asOfMs, nowMs);
  const isKnown = connection !== undefined && connection.state !== ConnectionState.CONNECTING;
  // What was shown before the stream broke is shown still.
  if (contentAsOfMs > 0 && (view.stale || !isKnown)) return agedOf(contentAsOfMs, nowMs);
  return isKnown ? { kind: "live", asOfMs: lastMessageMs } : { kind: "connecting" };
}

/** Of a page as it was sent: who was away then, how old the picture was that the server kept, or nothing yet. */
function firstFreshness({ connection, firstAsOfMs, sentAtMs, kept, contentAsOfMs }: ViewState): FreshnessOfWay {
  const away = connection && AWAY[connection.state];
  const sinceMs = connection?.since && millisOf(connection.since);
  if (away !== undefined) return { kind: away, sinceMs, asOfMs: firstAsOfMs ?? sinceMs ?? sentAtMs };
  if (kept) return agedOf(contentAsOfMs, sentAtMs);
  return { kind: connection?.state === ConnectionState.AGENT_NEVER_CONNECTED ? "agent-never-connected" : "connecting" };
}

/** The times that words about it name. */
export function timesOf(freshness: Freshness): readonly (number | undefined)[] {
  const { pausedMs } = freshness;
  return [pausedMs, "asOfMs" in freshness ? freshness.asOfMs : undefined, "sinceMs" in freshness ? freshness.sinceMs : undefined];
}

/** Whether values must be greyed and carry their time. */
export function isGrey(freshness: Freshness): boolean {
  switch (freshness.kind) {
    case "stale":
    case "agent-offline":
    case "kas-unreachable":
    case "api-down":
      return true;
    case "bff-unreachable":
      return freshness.grey;
    case "connecting":
    case "live":
    case "reconnecting":
    case "agent-never-connected":
    default:
      return false;
  }
}

function agedOf(asOfMs: number, nowMs: number): FreshnessOfWay {
  return { kind: nowMs - asOfMs > STALE_AFTER_MS ? "stale" : "reconnecting", asOfMs };
}
