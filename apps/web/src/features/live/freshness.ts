import { ConnectionState } from "@binnacle/proto/dashboard";
import { millisOf } from "../../ui/format-time.ts";
import type { ViewState } from "./environment-store.ts";

/** Without any message for this long the view is reconnecting: heartbeats are at most 15 s apart. */
const RECONNECTING_AFTER_MS = 15_000;
/** Without any message for this long its values are greyed. */
export const STALE_AFTER_MS = 30_000;

/** How fresh a view is, one of six, worst reason first. `sinceMs`/`asOfMs` are milliseconds since the epoch. */
export type Freshness =
  | { readonly kind: "connecting" }
  | { readonly kind: "live"; readonly asOfMs: number }
  | { readonly kind: "reconnecting"; readonly asOfMs: number }
  | { readonly kind: "stale"; readonly asOfMs: number }
  | { readonly kind: "agent-offline"; readonly sinceMs: number; readonly asOfMs: number }
  | { readonly kind: "agent-never-connected" };

/**
 * Freshness of a view. A silent stream outweighs what the stream said last; 2 s of grace are added, because a
 * heartbeat due after exactly 15 s arrives a little later.
 */
export function freshnessOf(view: ViewState, nowMs: number): Freshness {
  if (view.lastMessageMs === 0) return { kind: "connecting" };
  const asOfMs = view.lastMessageMs;
  const silentMs = nowMs - asOfMs;
  if (silentMs > STALE_AFTER_MS) return { kind: "stale", asOfMs };
  const connection = view.connection;
  const sinceMs = connection?.since === undefined ? asOfMs : millisOf(connection.since);
  if (connection?.state === ConnectionState.AGENT_OFFLINE) return { kind: "agent-offline", sinceMs, asOfMs: sinceMs };
  if (connection?.state === ConnectionState.AGENT_NEVER_CONNECTED) return { kind: "agent-never-connected" };
  const away = view.stream.kind === "lost" || silentMs > RECONNECTING_AFTER_MS + 2_000;
  if (away) return { kind: "reconnecting", asOfMs };
  if (connection?.state === ConnectionState.RECONNECTING) {
    return nowMs - sinceMs > STALE_AFTER_MS ? { kind: "stale", asOfMs: sinceMs } : { kind: "reconnecting", asOfMs: sinceMs };
  }
  if (connection === undefined || connection.state === ConnectionState.CONNECTING) return { kind: "connecting" };
  return { kind: "live", asOfMs };
}

/** Whether values must be greyed and carry their time. */
export function isGrey(freshness: Freshness): boolean {
  return freshness.kind === "stale" || freshness.kind === "agent-offline";
}
