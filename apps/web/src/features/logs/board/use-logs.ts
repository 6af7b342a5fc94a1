"use client";
import type { ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { useEffect, useState, useSyncExternalStore } from "react";
import { serverTime } from "../../../ui/server-time.ts";
import type { LogsState } from "../../address/logs-state.ts";
import { FrameBatch } from "../../live/frame-batch.ts";
import { LogReader } from "../read/log-reader.ts";
import { contextOf, logsRequest, requestKey, type LogsOf, type LogsStreamRequest } from "../read/log-request.ts";
import { LogStore, type LogSnapshot } from "../store/log-store.ts";

/** A page draws new lines so often at most: more often they cannot be read. */
const PACE_MS = 100;
/** So many lines at once fill a screen several times, and cannot be read either: fewer than a twentieth of all frames draw such. */
const FLOOD = { lines: 200, paceMs: 400 };

/** A log that is being read. */
export interface LiveLog {
  readonly store: LogStore;
  readonly reader: LogReader;
}

/** Opens a stream of logs. */
type ReadLogs = (request: LogsStreamRequest, signal: AbortSignal) => AsyncIterable<ReadLogsResponse>;

/** Reads logs as long as the component is mounted, and again for another choice. */
export function useLogs(of: LogsOf, state: LogsState, read: ReadLogs): LiveLog {
  const key = requestKey(of, state);
  const [live, setLive] = useState<LiveLog>(() => logOver(of, state, read));
  const [liveKey, setLiveKey] = useState(key);
  if (liveKey !== key) {
    setLiveKey(key);
    setLive(logOver(of, state, read));
  }
  useEffect(() => {
    live.reader.start();
    return () => live.reader.stop();
  }, [live]);
  return live;
}

/** What there is to show of a log; renders at most once in a frame. */
export function useSnapshot({ store }: LiveLog): LogSnapshot {
  return useSyncExternalStore(store.subscribe, store.snapshot, store.snapshot);
}

function logOver(of: LogsOf, state: LogsState, read: ReadLogs): LiveLog {
  let drawn = 0;
  const draw = (): void => void (drawn = store.flush());
  const batch = new FrameBatch(draw, () => (drawn > FLOOD.lines ? FLOOD.paceMs : PACE_MS));
  const store: LogStore = new LogStore(() => batch.request(), { contextLines: contextOf(state) });
  // Also after a break: sources without a position begin where they did.
  const request = logsRequest(of, state, serverTime.now());
  const reader = new LogReader(
    store,
    (positions, signal) => read({ ...request, follow: true, positions: [...positions] }, signal),
    () => serverTime.now(),
  );
  return { store, reader };
}
