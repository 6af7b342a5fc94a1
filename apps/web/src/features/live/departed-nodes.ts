import { Presence } from "@binnacle/proto/dashboard-enums";
import { selectionOf } from "../address/url-state.ts";
import type { LiveNode } from "./live-node.ts";

/** The drawer needs the one that was open; a thousand are enough for any pace of deletion. */
const MOST = 1000;

/** A node that left: its last known state, and when it left, milliseconds since the epoch. */
export interface DepartedNode {
  readonly node: LiveNode;
  readonly atMs: number;
}

/**
 * What has left a view, by what a selection calls it: of several of one name the last. The oldest are forgotten. What others only refer to
 * was never there: it neither leaves, nor stands for what has left while they still refer to that.
 */
export class DepartedNodes {
  readonly #bySelection = new Map<string, DepartedNode>();

  /** Forgets all of them. */
  clear(): void {
    this.#bySelection.clear();
  }

  /** A node has left. */
  left(node: LiveNode, atMs: number): void {
    if (node.ref === undefined || isReference(node)) return;
    const selection = selectionOf(node.ref);
    this.#bySelection.delete(selection);
    this.#bySelection.set(selection, { node, atMs });
    const oldest = this.#bySelection.size > MOST ? this.#bySelection.keys().next().value : undefined;
    if (oldest !== undefined) this.#bySelection.delete(oldest);
  }

  /** A node of this name is there. */
  came(node: LiveNode): void {
    if (node.ref !== undefined && this.#bySelection.size > 0 && !isReference(node)) this.#bySelection.delete(selectionOf(node.ref));
  }

  /** What this selection named, when it has left. */
  of(selection: string): DepartedNode | undefined {
    return this.#bySelection.get(selection);
  }
}

function isReference({ presence }: Pick<LiveNode, "presence">): boolean {
  return presence === Presence.MISSING || presence === Presence.NOT_VISIBLE;
}
