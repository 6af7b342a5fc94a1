import type { AgentConnection, AgentReplica } from "@binnacle/proto/dashboard-agents";

import { millisOf } from "../../ui/format-time.ts";

/** The time that a timeline shows. */
export const TIMELINE_MS = 24 * 60 * 60_000;

/** A part of a timeline, in percent of its width. */
export interface TimelinePart {
  readonly kind: "connected" | "unknown";
  readonly left: number;
  readonly width: number;
}

/** Connections, newest first, with an end where one is known: `undefined` for one that goes on, "unknown" where no end was recorded. */
export interface ShownConnection {
  readonly connection: AgentConnection;
  readonly sinceMs: number;
  readonly until: number | "unknown" | undefined;
}

/** A connection without an end goes on only while its process is among those that are connected. */
export function shownConnections(history: readonly AgentConnection[], replicas: readonly AgentReplica[]): readonly ShownConnection[] {
  const open = new Set(replicas.map(({ connectionId }) => connectionId));
  return history.flatMap((connection): ShownConnection[] => {
    const { connectedAt, disconnectedAt, connectionId } = connection;
    if (connectedAt === undefined) return [];
    const until = disconnectedAt === undefined ? (open.has(connectionId) ? undefined : "unknown") : millisOf(disconnectedAt);
    return [{ connection, sinceMs: millisOf(connectedAt), until }];
  });
}

/**
 * When any process was connected, in the last 24 hours. What is before the history, and the time after a connection whose end was not
 * recorded until the next one, is not known.
 */
export function timelineOf(connections: readonly ShownConnection[], sinceMs: number | undefined, nowMs: number): readonly TimelinePart[] {
  const startMs = nowMs - TIMELINE_MS;
  const parts: { kind: TimelinePart["kind"]; fromMs: number; toMs: number }[] = [];
  const known = Math.max(startMs, Math.min(sinceMs ?? nowMs, nowMs));
  if (known > startMs) parts.push({ kind: "unknown", fromMs: startMs, toMs: known });
  for (const { sinceMs: fromMs, until } of connections) {
    if (until !== "unknown") parts.push({ kind: "connected", fromMs, toMs: until ?? nowMs });
    else {
      const next = connections.map((each) => each.sinceMs).filter((each) => each > fromMs);
      parts.push({ kind: "unknown", fromMs, toMs: Math.min(nowMs, ...next) });
    }
  }
  return merged(parts).flatMap(({ kind, fromMs, toMs }) => {
    const [from, to] = [Math.max(fromMs, startMs), Math.min(toMs, nowMs)];
    if (to < from || toMs < startMs) return [];
    return [{ kind, left: ((from - startMs) / TIMELINE_MS) * 100, width: Math.max(0.15, ((to - from) / TIMELINE_MS) * 100) }];
  });
}

/** Parts of one kind that touch become one; connected lies above unknown. */
function merged<T extends { readonly kind: string; readonly fromMs: number; readonly toMs: number }>(parts: readonly T[]): readonly T[] {
  const ordered = parts.toSorted((a, b) => (a.kind === b.kind ? a.fromMs - b.fromMs : a.kind === "unknown" ? -1 : 1));
  const result: T[] = [];
  for (const part of ordered) {
    const last = result.at(-1);
    if (last?.kind === part.kind && part.fromMs <= last.toMs + 1_000)
      result[result.length - 1] = { ...last, toMs: Math.max(last.toMs, part.toMs) };
    else result.push(part);
  }
  return result;
}
