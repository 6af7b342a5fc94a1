import { isSameNode, type LiveNode } from "../../live/live-node.ts";

/** Whether a card of the node looks different: a new `revision` alone only says that there is more to read about it. */
export function looksChanged(before: LiveNode, now: LiveNode): boolean {
  return before !== now && !isSameNode({ ...before, revision: now.revision }, now);
}
