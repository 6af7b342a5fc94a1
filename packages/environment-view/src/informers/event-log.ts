import type { WatchChange } from "@binnacle/kube";

/** So many events are remembered for those who were away for a moment. */
const MOST_EVENTS = 1_000;

/** The last events of an informer: whoever was cut off goes on after the last one that he had. */
export class EventLog {
  /** Names this log: what another one has called by a number says nothing here. */
  readonly #name: string;
  #events: WatchChange[] = [];
  /** Events that were there before the first of them. */
  #before = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** Where it stands now: good for `since`. */
  get position(): string {
    return `${this.#name}.${this.#before + this.#events.length}`;
  }

  /** @param event is held: it bears no more than what is kept of its object */
  add(event: WatchChange): void {
    this.#events.push(event);
    if (this.#events.length < 2 * MOST_EVENTS) return;
    this.#before += MOST_EVENTS;
    this.#events = this.#events.slice(MOST_EVENTS);
  }

  /**
   * What came after a position, or after the event with that resourceVersion.
   *
   * @returns `undefined` when that is not known
   */
  since(position: string): readonly WatchChange[] | undefined {
    const [name, number] = position.split(".");
    if (name === this.#name) {
      const index = Number(number) - this.#before;
      return index >= 0 && index <= this.#events.length ? this.#events.slice(index) : undefined;
    }
    const index = this.#events.findLastIndex(({ object }) => object.metadata.resourceVersion === position);
    return index < 0 ? undefined : this.#events.slice(index + 1);
  }
}
