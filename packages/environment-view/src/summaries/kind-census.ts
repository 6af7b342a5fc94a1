import type { ResourceKind } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";
import type { Words } from "@binnacle/words";

import { apiCodeOf, KubeClientError, wordsOfFailure } from "../base/kube-client.ts";
import { isCore, kindId } from "../scope/kind-plan.ts";
import type { KindCount, PacedLists } from "./paced-lists.ts";

/** As long as the environment page believes that a kind is empty. */
const BELIEVED_MS = 60_000;
/** Kinds that the environment page watches from the start are counted anew for each look; within one they are counted once. */
const CORE_BELIEVED_MS = 15_000;

/** The result of requests for a kind in all namespaces, by one identity. */
export type Census =
  | ({ readonly kind: "counted" } & KindCount)
  | { readonly kind: "forbidden"; readonly words: Words }
  | { readonly kind: "unserved" }
  /** The API server answers with an error for this kind, perhaps for this kind only. */
  | { readonly kind: "error"; readonly words: Words };

/** How many objects of each kind there are in the cluster, remembered for a while. */
export class KindCensus {
  readonly #clock: Clock;
  readonly #lists: PacedLists;
  readonly #known = new Map<string, { readonly atMs: number; readonly census: Census }>();

  constructor(clock: Clock, lists: PacedLists) {
    this.#clock = clock;
    this.#lists = lists;
  }

  /** @throws KubeClientError for a failure that is not the API server's answer */
  async of(kind: ResourceKind, signal: AbortSignal): Promise<Census> {
    const id = kindId(kind);
    const known = this.#known.get(id);
    const atMs = this.#clock.now();
    const believedMs = isCore(kind) ? CORE_BELIEVED_MS : BELIEVED_MS;
    if (known !== undefined && Math.abs(atMs - known.atMs) < believedMs) return known.census;
    const census = await this.#ask(kind, signal);
    this.#known.set(id, { atMs, census });
    return census;
  }

  /** Only these kinds are served now. */
  keep(kinds: readonly ResourceKind[]): void {
    const served = new Set(kinds.map(kindId));
    for (const id of this.#known.keys()) if (!served.has(id)) this.#known.delete(id);
  }

  /** Rights or the cluster may be others now. */
  forget(): void {
    this.#known.clear();
  }

  async #ask(kind: ResourceKind, signal: AbortSignal): Promise<Census> {
    try {
      return { kind: "counted", ...(await this.#lists.count(kind, "", signal)) };
    } catch (error) {
      return refusalOf(error);
    }
  }
}

/** The API server's answer about one kind. @throws the error when it is something else */
export function refusalOf(error: unknown): Exclude<Census, { kind: "counted" }> {
  const code = apiCodeOf(error);
  const why = wordsOfFailure(error);
  if (error instanceof KubeClientError && error.failure === "too_large") return { kind: "error", words: why };
  if (code === undefined) throw error;
  if (code === 403) return { kind: "forbidden", words: why };
  if (code === 404 || code === 405) return { kind: "unserved" };
  return { kind: "error", words: why };
}
