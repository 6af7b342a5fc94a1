import { useEffect, useEffectEvent } from "react";

/** Buttons that come later than this take the focus from nobody any more. */
const LATE_MS = 5_000;

/** Ids of the nodes whose buttons are on the page, with what gives the first of them the focus. */
const shown = new Map<string, () => void>();
let requested: { readonly id: string; readonly atMs: number } | undefined;

/** The first action of a resource gets the focus: now, or when the drawer that was opened with it shows its actions. */
export function requestActions(id: string): void {
  const focus = shown.get(id);
  requested = focus === undefined ? { id, atMs: performance.now() } : undefined;
  focus?.();
}

/** While the component is on the page, it shows the actions of this node. @param focus gives the first of them the focus */
export function useActionsRequest(id: string, focus: () => void): void {
  const run = useEffectEvent(focus);
  useEffect(() => {
    const take = (): void => run();
    shown.set(id, take);
    const isWaitedFor = requested?.id === id && performance.now() - requested.atMs < LATE_MS;
    if (requested?.id === id) requested = undefined;
    // After the heading of the drawer, which takes the focus when it opens.
    if (isWaitedFor) requestAnimationFrame(take);
    return () => {
      if (shown.get(id) === take) shown.delete(id);
    };
  }, [id]);
}
