import type { Overview, VersionDistance } from "@binnacle/proto/dashboard-overview";
import type { Client } from "@connectrpc/connect";
import { Subscribable } from "../live/subscribable.ts";
import type { CommitPair } from "./versions.ts";

/** Pairs of one request; the server takes fifty. */
const MAX_TOGETHER = 50;
/** Pairs that come on the screen within this time are requested together. */
const JOIN_MS = 100;
/** What could not be known is not requested again for this time. */
const ASK_AGAIN_MS = 60_000;
const MAX_KNOWN = 5_000;

interface Known {
  readonly distance: VersionDistance | undefined;
  readonly atMs: number;
}

/** Distances of commits that were on the screen of this page: requested once, together. */
export class Distances {
  readonly #client: () => Pick<Client<typeof Overview>, "compareVersions">;
  readonly #now: () => number;
  readonly #known = new Map<string, Known>();
  readonly #waiting = new Map<string, CommitPair>();
  readonly #subscribers = new Subscribable();
  #isAskingSoon = false;

  constructor(client: () => Pick<Client<typeof Overview>, "compareVersions">, now: () => number = Date.now) {
    this.#client = client;
    this.#now = now;
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#subscribers.subscribe(listener);

  /** The distance as far as it is known. */
  of(pair: CommitPair): VersionDistance | undefined {
    return this.#known.get(keyOf(pair))?.distance;
  }

  /** The pair is on the screen. */
  want(pair: CommitPair): void {
    const key = keyOf(pair);
    const known = this.#known.get(key);
    if (known?.distance?.known === true || this.#waiting.has(key)) return;
    if (known !== undefined && this.#now() - known.atMs < ASK_AGAIN_MS) return;
    this.#waiting.set(key, pair);
    this.#askSoon();
  }

  #askSoon(): void {
    if (this.#isAskingSoon) return;
    this.#isAskingSoon = true;
    setTimeout(() => void this.#ask(), JOIN_MS);
  }

  async #ask(): Promise<void> {
    this.#isAskingSoon = false;
    const pairs = [...this.#waiting].slice(0, MAX_TOGETHER);
    for (const [key] of pairs) this.#waiting.delete(key);
    if (this.#waiting.size > 0) this.#askSoon();
    // Nothing is requested twice while it is on its way.
    for (const [key] of pairs) this.#put(key, undefined);
    try {
      const { distances } = await this.#client().compareVersions({ pairs: pairs.map(([, pair]) => pair) });
      for (const [index, [key]] of pairs.entries()) this.#put(key, distances[index]);
      this.#subscribers.notify();
    } catch {
      // The page shows that the versions differ, which is known without it.
    }
  }

  #put(key: string, distance: VersionDistance | undefined): void {
    this.#known.delete(key);
    this.#known.set(key, { distance, atMs: this.#now() });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}

function keyOf({ projectPath, base, head }: CommitPair): string {
  return `${projectPath} ${base} ${head}`;
}
