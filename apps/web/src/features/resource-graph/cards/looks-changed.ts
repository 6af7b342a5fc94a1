import type { LiveNode } from "../../live/live-node.ts";
import { isSameMessage } from "../../live/same-message.ts";

/** Whether a card of the node looks different: a new `revision` alone only says that there is more to read about it. */
export function looksChanged(before: LiveNode, now: LiveNode): boolean {
  return before !== now && !isSameMessage({ ...before, revision: now.revision }, now);
}
