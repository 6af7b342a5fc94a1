import { useSyncExternalStore } from "react";

let text = "";
const listeners = new Set<() => void>();

/** Says something politely in the live region of the page. What was said before is replaced. */
export function announce(sentence: string): void {
  text = sentence;
  for (const listener of listeners) listener();
}

/** What was announced last; for the live region of the page. */
export function useAnnouncement(): string {
  return useSyncExternalStore(
    subscribe,
    () => text,
    () => "",
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
