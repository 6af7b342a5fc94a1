import { VIEW_ENGINE } from "@binnacle/environment-view";
import type { ResourceKind } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";

import type { AccessReviews } from "./rights/access-reviews.ts";

/** What the agent itself must be able to read for a view of an environment: what it may not read beyond that it reads as the viewer. */
const NEEDED = ["/pods", "/nodes", "/events", "/services", "apps/deployments", "apps/replicasets"];
/** Rights come and go. */
const FRESH_MS = 60_000;

/** What an agent offers. */
export interface Offer {
  /** Empty: no views of environments. */
  readonly engine: string;
  /** Why not, for people. */
  readonly lacking: readonly string[];
}

/** What this agent offers by the rights that it has itself, asked at most once a minute. */
export class OwnRights {
  readonly #reviews: AccessReviews;
  readonly #clock: Clock;
  #known: { readonly atMs: number; readonly offer: Promise<Offer> } | undefined;

  constructor(reviews: AccessReviews, clock: Clock) {
    this.#reviews = reviews;
    this.#clock = clock;
  }

  /** Never rejects: what cannot be found out is not offered. */
  offer(signal: AbortSignal): Promise<Offer> {
    const now = this.#clock.now();
    if (this.#known !== undefined && now - this.#known.atMs < FRESH_MS) return this.#known.offer;
    const offer = this.#ask(signal);
    this.#known = { atMs: now, offer };
    return offer;
  }

  async #ask(signal: AbortSignal): Promise<Offer> {
    try {
      const lacking = await Promise.all(NEEDED.map((id) => this.#lacks(id, signal)));
      const told = lacking.filter((each) => each !== undefined);
      return { engine: told.length === 0 ? VIEW_ENGINE : "", lacking: told };
    } catch {
      this.#known = undefined;
      return { engine: "", lacking: ["the API server does not say what this agent may read"] };
    }
  }

  async #lacks(id: string, signal: AbortSignal): Promise<string | undefined> {
    const [group = "", resource = ""] = id.split("/");
    const kind: ResourceKind = { group, resource, version: "", kind: "", namespaced: true, verbs: [], subresources: [], shortNames: [] };
    return (await this.#reviews.may({ verb: "list", kind, namespace: "" }, signal)) ? undefined : `list ${resource} in all namespaces`;
  }
}
