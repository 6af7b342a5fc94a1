/** How closely a watched kind is viewed: by an open page, by a row of a list, or not at the moment. */
export type Attention = "page" | "row" | "none";

const ORDER: Readonly<Record<Attention, number>> = { page: 0, row: 1, none: 2 };

/** The one who looks more closely. */
export function closerOf(a: Attention, b: Attention): Attention {
  return ORDER[a] <= ORDER[b] ? a : b;
}

/** The order of claims when there are fewer watches than wanted: what is on a page, then kinds in their order. */
export interface WatchRank {
  readonly attention: Attention;
  /** Place of the kind, from 0; core kinds come first. */
  readonly kind: number;
}

/**
 * The watches that an agent carries for this process. Each one that may be opened holds a place, from before it is opened until after
 * it has ended, and there are never more places held than the limit. A claim of higher rank gets a place from one of lower rank, once
 * that one has released it. Every method is synchronous; no claim is notified of a change inside a call.
 */
export class WatchBudget {
  readonly #claims = new Set<Claim>();
  #limit: number;
  #isAssumed = false;
  #held = 0;
  #due = false;

  /** @param limit default: no limit */
  constructor(limit: number = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  /** The maximum number of watches; infinite while it is unknown. */
  get limit(): number {
    return this.#limit;
  }

  /** How many places are held, also of watches that are being opened or closed. */
  get held(): number {
    return this.#held;
  }

  /**
   * Sets the number of watches that the agent carries. When more are open, the last in rank are ended.
   *
   * @param isAssumed nothing reports the number. Default: no
   */
  setLimit(limit: number, isAssumed = false): void {
    this.#isAssumed = isAssumed;
    if (limit === this.#limit) return;
    this.#limit = limit;
    this.#allotSoon();
  }

  /** Opens a claim for a watch. Close it at the end. */
  claim(rank: WatchRank): WatchClaim {
    const claim = new Claim({
      rank,
      isFree: () => this.#isFree(),
      assumed: () => (this.#isAssumed ? this.#limit : undefined),
      held: (more) => (this.#held += more),
      changed: () => this.#allotSoon(),
      closed: () => this.#claims.delete(claim),
    });
    this.#claims.add(claim);
    return claim;
  }

  /** A place is left when all who wait for one have theirs. */
  #isFree(): boolean {
    // Where no place is about to be given out, no claim waits for a free one.
    const waiting = this.#due ? [...this.#claims].filter((claim) => claim.isWaiting).length : 0;
    return this.#held + waiting < this.#limit;
  }

  /** Many change at a time: a page that is opened changes the rank of all its kinds. */
  #allotSoon(): void {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      this.#allot();
    });
  }

  #allot(): void {
    const wanted = [...this.#claims].filter((claim) => claim.isWanted).toSorted(inOrder);
    for (const [index, claim] of wanted.entries()) if (index >= this.#limit) claim.revoke();
    for (const claim of wanted.slice(0, Math.max(0, this.#limit))) if (this.#held < this.#limit) claim.grant();
  }
}

/** A claim to one watch. It begins without a request. */
export interface WatchClaim {
  /**
   * Asks for a place from now on; call it when no watch is open here.
   *
   * @returns what aborts when the watch must end; `undefined` while there is no place
   */
  take(): AbortSignal | undefined;
  /** No watch is open or being opened here, and none is wanted until the next `take`. */
  give(): void;
  /** Aborts when there is a place: until the next `take` has used it, it is kept. */
  granted(): AbortSignal;
  /** Whether a watch is wanted and there is no place for it. */
  readonly isWaiting: boolean;
  /** The limit of the budget, where nothing reports how many watches the agent carries. */
  readonly assumedLimit: number | undefined;
  setRank(rank: WatchRank): void;
  /** Gives up the place and the request for good. */
  close(): void;
}

interface ClaimOptions {
  readonly rank: WatchRank;
  readonly isFree: () => boolean;
  readonly assumed: () => number | undefined;
  readonly held: (more: number) => void;
  readonly changed: () => void;
  readonly closed: () => void;
}

class Claim implements WatchClaim {
  readonly #options: ClaimOptions;
  rank: WatchRank;
  isWanted = false;
  #closed = false;
  #place: AbortController | undefined;
  #granted = new AbortController();

  constructor(options: ClaimOptions) {
    this.#options = options;
    this.rank = options.rank;
  }

  get isHeld(): boolean {
    return this.#place !== undefined;
  }

  get isWaiting(): boolean {
    return this.isWanted && this.#place === undefined;
  }

  get assumedLimit(): number | undefined {
    return this.#options.assumed();
  }

  take(): AbortSignal | undefined {
    if (this.#closed) return undefined;
    if (this.#place?.signal.aborted === true) this.give();
    const isFree = this.#options.isFree();
    this.isWanted = true;
    // No claim overtakes those that wait for a place that has just become free.
    if (isFree) this.grant();
    else if (this.#place === undefined) this.#options.changed();
    return this.#place?.signal;
  }

  give(): void {
    this.isWanted = false;
    if (this.#granted.signal.aborted) this.#granted = new AbortController();
    if (this.#place === undefined) return;
    this.#place = undefined;
    this.#options.held(-1);
    this.#options.changed();
  }

  granted(): AbortSignal {
    return this.#granted.signal;
  }

  setRank(rank: WatchRank): void {
    if (rank.attention === this.rank.attention && rank.kind === this.rank.kind) return;
    this.rank = rank;
    if (this.isWanted) this.#options.changed();
  }

  close(): void {
    this.give();
    this.#closed = true;
    this.#options.closed();
  }

  grant(): void {
    if (this.#place !== undefined) return;
    this.#place = new AbortController();
    this.#options.held(1);
    this.#granted.abort();
  }

  /** The place counts until it is given back. */
  revoke(): void {
    this.#place?.abort();
  }
}

function inOrder(a: Claim, b: Claim): number {
  const byRank = ORDER[a.rank.attention] - ORDER[b.rank.attention] || a.rank.kind - b.rank.kind;
  // Among equals the holder of a place keeps it; else the first to come.
  return byRank || Number(b.isHeld) - Number(a.isHeld);
}
