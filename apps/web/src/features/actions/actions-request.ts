import { useEffect, useEffectEvent } from "react";

/** Buttons that come later than this do not take the focus. */
const LATE_MS = 5_000;

/** Takes a request: the key of the action that is asked for; absent: the first one gets the focus. */
type Take = (key: string | undefined) => void;

/** Ids of the nodes whose buttons are on the page. */
const shown = new Map<string, Take>();
let requested: { readonly id: string; readonly key: string | undefined; readonly atMs: number } | undefined;

/** Goes to an action of a resource, or to the first one: now, or when the drawer that is opened with it shows its actions. */
export function requestActions(id: string, key?: string): void {
  const take = shown.get(id);
  requested = take === undefined ? { id, key, atMs: performance.now() } : undefined;
  take?.(key);
}

/** While the component is on the page, it shows the actions of this node. */
export function useActionsRequest(id: string, onRequest: Take): void {
  const run = useEffectEvent(onRequest);
  useEffect(() => {
    const take: Take = (key) => run(key);
    shown.set(id, take);
    const waiting = requested?.id === id ? requested : undefined;
    if (waiting !== undefined) requested = undefined;
    // After the heading of the drawer, which takes the focus when it opens.
    if (waiting !== undefined && performance.now() - waiting.atMs < LATE_MS) requestAnimationFrame(() => take(waiting.key));
    return () => {
      if (shown.get(id) === take) shown.delete(id);
    };
  }, [id]);
}
