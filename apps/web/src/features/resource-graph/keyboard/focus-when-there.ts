import type { RefObject } from "react";

const MOST_FRAMES = 10;

/** Gives the focus to a card: one out of sight is mounted some frames after the view has moved to it. */
export function focusWhenThere(root: RefObject<HTMLElement | null>, id: string, frames = MOST_FRAMES): void {
  const card = root.current?.querySelector<HTMLElement>(`[data-node-id="${CSS.escape(id)}"]`);
  if (card !== null && card !== undefined) card.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusWhenThere(root, id, frames - 1));
}
