import { VIEW_ENGINE } from "@binnacle/environment-view";
import type { ResourceKind } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import type { AccessReviews } from "./rights/access-reviews.ts";

/** What the agent itself must be able to read for a view of an environment: what it may not read beyond that it reads as the viewer. */
const NEEDED = ["/pods", "/nodes", "/events", "/services", "apps/deployments", "apps/replicasets"];
/** Rights come and go. */
const FRESH_MS = 60_000;
/** When the API server has not said. */
const AGAIN_MS = 5_000;

/** What an agent offers. */
export interface Offer {
  /** Empty: no views of environments. */
  readonly engine: string;
  /** Why not, for people. */
  readonly lacking: readonly string[];
}

/** Nothing is offered while nobody knows. */
const UNKNOWN: Offer = { engine: "", lacking: ["the API server does not say what this agent may read"] };

/** What this agent offers by the rights that it has itself: asked once a minute, for all who want to know. */
export class OwnRights {
  readonly #reviews: AccessReviews;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  /** What each was told last. */
  readonly #listeners = new Map<(offer: Offer) => void, Offer | undefined>();
  #offer: Offer | undefined;
  #cancelNext = (): void => {};

  /** @param signal ends questions that are on their way */
  constructor(reviews: AccessReviews, clock: Clock, signal: AbortSignal) {
    this.#reviews = reviews;
    this.#clock = clock;
    this.#signal = signal;
  }

  /**
   * Tells what is offered, never inside this call, and whenever it is something else. While the API server does not say, what it said last
   * holds.
   *
   * @returns ends it
   */
  follow(listener: (offer: Offer) => void): () => void {
    this.#listeners.set(listener, undefined);
    if (this.#listeners.size === 1) void this.#ask();
    else queueMicrotask(() => this.#tell());
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#cancelNext();
      this.#offer = undefined;
    };
  }

  async #ask(): Promise<void> {
    const { offer, againMs } = await this.#asked();
    if (this.#signal.aborted || this.#listeners.size === 0) return;
    // Equal ones are one, so that nobody is told twice.
    if (JSON.stringify(offer) !== JSON.stringify(this.#offer)) this.#offer = offer;
    this.#cancelNext();
    this.#cancelNext = this.#clock.after(againMs, () => void this.#ask());
    this.#tell();
  }

  async #asked(): Promise<{ readonly offer: Offer; readonly againMs: number }> {
    try {
      const lacking = await Promise.all(NEEDED.map((id) => this.#lacks(id)));
      const told = lacking.filter((each) => each !== undefined);
      return { offer: { engine: told.length === 0 ? VIEW_ENGINE : "", lacking: told }, againMs: FRESH_MS };
    } catch {
      return { offer: this.#offer ?? UNKNOWN, againMs: AGAIN_MS };
    }
  }

  #tell(): void {
    const offer = this.#offer;
    if (offer === undefined) return;
    for (const [listener, told] of this.#listeners) {
      if (told === offer) continue;
      this.#listeners.set(listener, offer);
      listener(offer);
    }
  }

  async #lacks(id: string): Promise<string | undefined> {
    const [group = "", resource = ""] = id.split("/");
    const kind: ResourceKind = { group, resource, version: "", kind: "", namespaced: true, verbs: [], subresources: [], shortNames: [] };
    return (await this.#reviews.may({ verb: "list", kind, namespace: "" }, this.#signal))
      ? undefined
      : `list ${resource} in all namespaces`;
  }
}
