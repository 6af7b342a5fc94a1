import { VIEW_ENGINE } from "@binnacle/environment-view";
import type { ResourceKind } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import type { AccessReviews } from "./rights/access-reviews.ts";

/** What the agent itself must be able to read for a view of an environment: what it may not read beyond that it reads as the viewer. */
const NEEDED = ["/pods", "/nodes", "/events", "/services", "apps/deployments", "apps/replicasets"];
/** Rights come and go. */
const FRESH_MS = 60_000;
/** Interval while the API server does not answer. */
const AGAIN_MS = 5_000;

/** What an agent offers. */
export interface Offer {
  /** Empty: no views of environments. */
  readonly engine: string;
  /** Why not, for people. */
  readonly lacking: readonly string[];
}

/** Nothing is offered while the rights are unknown. */
const UNKNOWN: Offer = { engine: "", lacking: ["the API server does not say what this agent may read"] };

/** What this agent offers by its own rights: checked once a minute, for all listeners. */
export class OwnRights {
  readonly #reviews: AccessReviews;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  /** The offer that each listener received last. */
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
   * Calls the listener with the offer, never inside this call, and again with each change. While the API server does not answer, its last answer
   * holds.
   *
   * @returns ends it
   */
  follow(listener: (offer: Offer) => void): () => void {
    this.#listeners.set(listener, undefined);
    if (this.#listeners.size === 1) void this.#refresh();
    else queueMicrotask(() => this.#tell());
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#cancelNext();
      this.#offer = undefined;
    };
  }

  async #refresh(): Promise<void> {
    const { offer, againMs } = await this.#readOffer();
    if (this.#signal.aborted || this.#listeners.size === 0) return;
    // An equal offer keeps its identity, so that no listener receives it twice.
    if (JSON.stringify(offer) !== JSON.stringify(this.#offer)) this.#offer = offer;
    this.#cancelNext();
    this.#cancelNext = this.#clock.after(againMs, () => void this.#refresh());
    this.#tell();
  }

  async #readOffer(): Promise<{ readonly offer: Offer; readonly againMs: number }> {
    try {
      const lacking = await Promise.all(NEEDED.map((id) => this.#lacks(id)));
      const missing = lacking.filter((each) => each !== undefined);
      return { offer: { engine: missing.length === 0 ? VIEW_ENGINE : "", lacking: missing }, againMs: FRESH_MS };
    } catch {
      return { offer: this.#offer ?? UNKNOWN, againMs: AGAIN_MS };
    }
  }

  #tell(): void {
    const offer = this.#offer;
    if (offer === undefined) return;
    for (const [listener, last] of this.#listeners) {
      if (last === offer) continue;
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
