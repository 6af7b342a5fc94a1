import { useSyncExternalStore } from "react";

let text = "";
const listeners = new Set<() => void>();

/** Announces a text politely in the live region of the page. It replaces the previous one. */
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
