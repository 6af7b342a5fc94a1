import { KubeClientError } from "@binnacle/environment-view";
import { createStatus } from "@binnacle/kube";
import { sleep, type Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import { RememberedRefusal } from "../base/remembered-refusal.ts";

/** Watches that are open at a time at an agent whose kas reports no budget: as many as ours allows for a Go agent (docs/design/limits.md). */
export const ASSUMED_WATCHES = 8;
/** Headers of ours are looked for again when none has come for this time: another kas may answer behind the same address. */
const OURS_MS = 10 * 60_000;
/** A request waits no longer for what another one finds out. */
const MAX_WAIT_MS = 5_000;
/**
 * What an API server answers at paths that it does not have, when kas passes them on: 403 to viewers without a right to paths that are no
 * resources, which is checked first.
 */
const NOT_OFFERED: ReadonlySet<number> = new Set([403, 404, 405, 501]);

/** What our kas answers beside the Kubernetes API. GitLab's own kas has none of it: it passes these paths on to the cluster. */
export type KasOffer = "views" | "logs" | "syncs" | "services";

const PATHS: readonly (readonly [prefix: string, offer: KasOffer])[] = [
  ["/binnacle/v1/views", "views"],
  ["/binnacle/v1/logs", "logs"],
  ["/binnacle/v1/gitops/", "syncs"],
  ["/-/services/", "services"],
];

/** What an answer of the k8s-proxy shows of the kas that gave it. */
interface ProxyAnswer {
  readonly status: number;
  /** It has a header that only our kas sets. */
  readonly isMarked: boolean;
}

/**
 * What the kas of this process offers, shared by all viewers and agents. Only a kas that does not mark its answers is probed: one request for each
 * offer, and then none for ten minutes.
 */
export class KasOffers {
  readonly #clock: Clock;
  readonly #refusals = new Map<KasOffer, RememberedRefusal>();
  readonly #probes = new Map<KasOffer, Promise<void>>();
  #markedAtMs: number | undefined;
  #isUnmarked = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** It answers without any header of ours: nothing of ours is sent to it. */
  get isForeign(): boolean {
    return this.#isUnmarked && !this.#isOurs;
  }

  /**
   * Before a request: waits for a request to the same offer that finds out whether there is one.
   *
   * @returns to be called when the request was answered or has failed
   * @throws KubeClientError `api` with 404 while kas is known not to offer it
   */
  async admit(path: string, signal: AbortSignal): Promise<() => void> {
    const offer = offerOf(path);
    if (offer === undefined) return () => {};
    const endMs = this.#clock.now() + MAX_WAIT_MS;
    for (;;) {
      if (this.#refusalOf(offer).isRemembered) throw notOffered();
      const probe = this.#isOurs ? undefined : this.#probes.get(offer);
      const leftMs = endMs - this.#clock.now();
      if (probe === undefined || leftMs <= 0 || signal.aborted) break;
      const settled = new AbortController();
      await Promise.race([probe, sleep(this.#clock, leftMs, AbortSignal.any([signal, settled.signal]))]);
      settled.abort();
    }
    if (this.#isOurs || this.#probes.has(offer)) return () => {};
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#probes.set(offer, promise);
    return () => {
      if (this.#probes.get(offer) === promise) this.#probes.delete(offer);
      resolve();
    };
  }

  /** kas, or the cluster through it, has answered a request whose credential it accepted. */
  heard(path: string, { status, isMarked }: ProxyAnswer): void {
    if (isMarked) {
      this.#markedAtMs = this.#clock.now();
      return;
    }
    // What stands in front of kas answers with these too.
    if (status >= 500 && status !== 501) return;
    this.#isUnmarked = true;
    const offer = offerOf(path);
    if (offer !== undefined && !this.#isOurs && NOT_OFFERED.has(status)) this.#refusalOf(offer).remember();
  }

  get #isOurs(): boolean {
    if (this.#markedAtMs === undefined) return false;
    const ageMs = this.#clock.now() - this.#markedAtMs;
    return ageMs >= 0 && ageMs < OURS_MS;
  }

  #refusalOf(offer: KasOffer): RememberedRefusal {
    const refusal = this.#refusals.get(offer) ?? new RememberedRefusal(this.#clock);
    this.#refusals.set(offer, refusal);
    return refusal;
  }
}

function offerOf(path: string): KasOffer | undefined {
  return PATHS.find(([prefix]) => path.startsWith(prefix))?.[1];
}

/** As an older kas answers, so that callers do without it. */
function notOffered(): KubeClientError {
  return new KubeClientError("api", words("kas/not-offered"), {
    status: createStatus(404, "not offered by this kas"),
    stage: "not_started",
  });
}
