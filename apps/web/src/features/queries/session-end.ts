import { useSyncExternalStore } from "react";

let hasEnded = false;
const listeners = new Set<() => void>();

/** Whether the session of this page is over, according to the requests so far. Of a browser alone: a server has many. */
export const sessionEnd = {
  get value(): boolean {
    return hasEnded;
  },
  set value(next: boolean) {
    if (next === hasEnded) return;
    hasEnded = next;
    for (const listener of listeners) listener();
  },
};

/** Whether the session is over, according to the requests so far. */
export function useSessionEnd(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => hasEnded,
    () => false,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
