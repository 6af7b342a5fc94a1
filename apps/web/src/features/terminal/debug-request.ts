import { useEffect, useEffectEvent } from "react";

/** As long as a ticket may take; a tab that is opened later than this shows no debug container by itself. */
const LATE_MS = 30_000;

/** Ids of the pods whose terminals are on the page. */
const shown = new Map<string, () => void>();
let requested: { readonly id: string; readonly atMs: number } | undefined;

/** Requests the confirmation of a debug container from the terminal tab of a pod: now, or when the tab that is opened with it is ready. */
export function requestDebugContainer(id: string): void {
  const take = shown.get(id);
  requested = take === undefined ? { id, atMs: performance.now() } : undefined;
  take?.();
}

/** While the component is on the page, it takes the requests for this pod. @param id of its node */
export function useDebugRequest(id: string, onRequest: () => void): void {
  const run = useEffectEvent(onRequest);
  useEffect(() => {
    const take = (): void => run();
    shown.set(id, take);
    const waiting = requested?.id === id ? requested : undefined;
    if (waiting !== undefined) requested = undefined;
    if (waiting !== undefined && performance.now() - waiting.atMs < LATE_MS) take();
    return () => {
      if (shown.get(id) === take) shown.delete(id);
    };
  }, [id]);
}
