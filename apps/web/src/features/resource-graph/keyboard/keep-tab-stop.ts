import type { RovingFocus } from "./roving-focus.ts";

/** When the tab stop has scrolled away and is not in the page any more, the first card that is takes its place. */
export function keepTabStopVisible(root: HTMLElement | null, focus: RovingFocus): void {
  if (root === null || root.contains(document.activeElement)) return;
  if (root.querySelector(`[data-node-id="${CSS.escape(focus.current)}"]`) !== null) return;
  const first = root.querySelector<HTMLElement>("[data-node-id]")?.dataset["nodeId"];
  if (first !== undefined) focus.set(first);
}
