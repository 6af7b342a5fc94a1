import type { RefObject } from "react";

/** A card that is not in the page after this long is not coming. */
const MAX_WAIT_MS = 1_000;
/** A card that has just been mounted may be mounted anew by the layout that the view has requested. */
const SETTLED_FRAMES = 3;

/** Gives the focus to a card: one out of sight is mounted some frames after the view has moved to it. */
export function focusWhenThere(root: RefObject<HTMLElement | null>, id: string): void {
  const beganMs = performance.now();
  let settled = 0;
  const look = (): void => {
    const card = root.current?.querySelector<HTMLElement>(`[data-node-id="${CSS.escape(id)}"]`) ?? undefined;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (card !== undefined && (settled === 0 || isLost)) card.focus({ preventScroll: true });
    if (card !== undefined) settled += 1;
    if (settled <= SETTLED_FRAMES && performance.now() - beganMs < MAX_WAIT_MS) requestAnimationFrame(look);
  };
  look();
}
