import { changeOf, type ViewConnection, type ViewMessage, type ViewSource } from "@binnacle/environment-view";
import { ViewGap } from "@binnacle/proto/kas-views";

/** How well a scope is seen, from the messages of its view: of the kinds that its health is made of. */
export class SourceStates {
  readonly #sources = new Map<string, ViewSource>();
  #connection: ViewConnection | undefined;

  /** Takes in a message of the view. */
  apply(message: ViewMessage): void {
    const { reset, sources, removedSources } = changeOf(message);
    if (reset) this.#sources.clear();
    for (const source of sources) this.#sources.set(source.id, source);
    for (const id of removedSources) this.#sources.delete(id);
    this.#connection = message.connection ?? this.#connection;
  }

  /** Why nothing can be said, where that is so of everything. */
  gap(): ViewGap {
    const settled = this.#counting().map((source) => source.settled);
    if (settled.length === 0 || settled.some((state) => state === "live" || state === undefined)) return ViewGap.UNSPECIFIED;
    if (settled.every((state) => state === "forbidden" || state === "unserved")) return ViewGap.FORBIDDEN;
    if (settled.every((state) => state === "error")) return ViewGap.FAILED;
    return settled.includes("truncated") ? ViewGap.TOO_LARGE : ViewGap.UNSPECIFIED;
  }

  /** Since when nothing vouches for it; `undefined` while it is current, but for kinds that fail: for want of those it is partial. */
  staleSinceMs(): number | undefined {
    const since = this.#counting().flatMap(({ stale }) => (stale?.cause === "way" ? [stale.sinceMs] : []));
    if (this.#connection !== undefined && this.#connection.state !== "connected") since.push(this.#connection.sinceMs);
    return since.length === 0 ? undefined : Math.min(...since);
  }

  #counting(): ViewSource[] {
    return [...this.#sources.values()].filter(({ countsForHealth }) => countsForHealth);
  }
}
