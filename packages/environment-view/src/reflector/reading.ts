import { changeState, type StateTable } from "@binnacle/rpc";

/**
 * `probing` no objects are expected, and one request now and then finds out whether there are some · `reading` all objects have to be read, by
 * a streamed list or in pages · `following` a watch goes on at `resourceVersion`, or would if there were a place for it.
 */
export type ReadingState =
  { readonly name: "probing" } | { readonly name: "reading" } | { readonly name: "following"; readonly resourceVersion: string };

/**
 * `found` there is an object · `read` all were read · `advanced` an event came · `lost` no watch may go on from what was read: it has expired,
 * is too old, or cannot be read to its end · `refused` the API server does not allow or serve the kind, or its watch.
 */
export type ReadingEvent = "found" | "read" | "advanced" | "lost" | "refused";

/** Every change of state. */
export const READING_STATES: StateTable<ReadingState["name"], ReadingEvent> = {
  probing: { found: "reading", lost: "probing", refused: "probing" },
  reading: { read: "following", lost: "reading", refused: "probing" },
  following: { read: "following", advanced: "following", lost: "reading", refused: "probing" },
};

/** How far a kind is read. */
export class Reading {
  #state: ReadingState;

  /** @param first `reading` where objects are expected */
  constructor(first: "probing" | "reading") {
    this.#state = { name: first };
  }

  get state(): ReadingState["name"] {
    return this.#state.name;
  }

  /** Where a watch goes on; undefined while none can. */
  get resourceVersion(): string | undefined {
    return this.#state.name === "following" ? this.#state.resourceVersion : undefined;
  }

  found(): void {
    this.#become("found", { name: "reading" });
  }

  read(resourceVersion: string): void {
    this.#become("read", { name: "following", resourceVersion });
  }

  /** @param resourceVersion of the event; undefined where it has none, and then the position stays */
  advanced(resourceVersion: string | undefined): void {
    if (resourceVersion !== undefined) this.#become("advanced", { name: "following", resourceVersion });
  }

  lost(): void {
    this.#become("lost", { name: this.state === "probing" ? "probing" : "reading" });
  }

  refused(): void {
    this.#become("refused", { name: "probing" });
  }

  #become(event: ReadingEvent, next: ReadingState): void {
    this.#state = changeState(READING_STATES, this.#state, { event, next });
  }
}
