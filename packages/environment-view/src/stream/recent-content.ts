import type { Clock } from "@binnacle/rpc";

import type { ViewSnapshot } from "./view-model.ts";

/** What of a snapshot is large: the same lists for all who are given it. */
export type ViewContent = Pick<ViewSnapshot, "version" | "nodes" | "edges" | "content" | "sources" | "isEmpty">;

/** A new subscriber begins with content that is no older; later changes follow at once. */
const MAX_AGE_MS = 2_000;
/** It is dropped when there was no new subscriber for this time. */
const KEPT_MS = 10_000;
/** Fewer values are read anew for each subscriber. */
const LEAST_VALUES = 200;

/**
 * The last content that a subscriber received, so that many who come at once receive the same, and it is encoded once. At most one, and none
 * while no subscriber comes.
 */
export class RecentContent {
  readonly #clock: Clock;
  #content: ViewContent | undefined;
  /** When it was last what the view showed. */
  #currentAtMs = 0;
  #cancelDrop: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * @param version of the view now
   * @param after what the subscriber has already: it receives nothing older. Absent: it has nothing
   */
  get(version: number, after: number | undefined): ViewContent | undefined {
    const content = this.#content;
    if (!content || (after !== undefined && content.version <= after)) return undefined;
    const now = this.#clock.now();
    if (content.version === version) this.#currentAtMs = now;
    const ageMs = now - this.#currentAtMs;
    // A clock that was set back says nothing about the age.
    if (ageMs < 0 || ageMs > MAX_AGE_MS) return undefined;
    this.#dropLater();
    return content;
  }

  /** This is what the view shows now. */
  keep(content: ViewContent): void {
    if (content.nodes.length + content.edges.length < LEAST_VALUES) return this.drop();
    this.#content = content;
    this.#currentAtMs = this.#clock.now();
    this.#dropLater();
  }

  /** No subscriber may begin with it any more. */
  drop(): void {
    this.#cancelDrop();
    this.#content = undefined;
  }

  #dropLater(): void {
    this.#cancelDrop();
    this.#cancelDrop = this.#clock.after(KEPT_MS, () => this.drop());
  }
}
