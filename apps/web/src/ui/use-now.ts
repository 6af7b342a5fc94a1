"use client";
import { createContext, use, useSyncExternalStore } from "react";
import { serverTime } from "./server-time.ts";

let now = 0;
/** Milliseconds; with another one every time is another text. */
let shift = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = serverTime.now();
  timer ??= setInterval(tick, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = serverTime.now();
  for (const listener of listeners) listener();
}

/** For what is shown as it was at a time: now is that time, so that no age grows of what may be over. */
export const StoppedClock = createContext<number | undefined>(undefined);
/** Times are to be written anew at once, by all who have written some: in another zone. */
export function redrawTimes(): void {
  shift = 1 - shift;
  for (const listener of listeners) listener();
}

/**
 * Milliseconds since the epoch by the server's clock, coarse: all components of a page share one timer.
 *
 * @param stepMs the value changes only in steps of this size, so that an age in minutes does not render every second
 */
export function useNow(stepMs = 1000): number {
  const stoppedMs = use(StoppedClock);
  const read = (): number => Math.floor((stoppedMs ?? (now === 0 ? (now = serverTime.now()) : now)) / stepMs) * stepMs + shift;
  return useSyncExternalStore(subscribe, read, () => 0);
}
