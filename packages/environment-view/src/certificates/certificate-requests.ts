/** A Secret whose certificate somebody wants to know. */
export interface CertificateRequest {
  readonly namespace: string;
  readonly name: string;
  /** resourceVersion in the list; empty: the Secret is not in sight. */
  readonly version: string;
}

/** Secrets that are read for one view. */
const MOST_SECRETS = 100;

/** Who names which Secrets: each once, in whatever version was seen last, and not more than are read. */
export class CertificateRequests {
  readonly #byReader = new Map<object, readonly CertificateRequest[]>();
  #wanted: ReadonlyMap<string, CertificateRequest> = new Map();
  #leftOut: ReadonlySet<string> = new Set();
  #newlyLeftOut: readonly CertificateRequest[] = [];

  /** Whether a reader names any. */
  has(reader: object): boolean {
    return this.#byReader.has(reader);
  }

  /** These are all that a reader names. */
  set(reader: object, wishes: readonly CertificateRequest[]): void {
    // Whoever spoke last comes last: what he has seen is the newest.
    this.#byReader.delete(reader);
    if (wishes.length > 0) this.#byReader.set(reader, wishes);
    const all = new Map<string, CertificateRequest>();
    for (const list of this.#byReader.values()) {
      for (const wish of list) {
        const key = `${wish.namespace}/${wish.name}`;
        if (wish.version !== "" || !all.has(key)) all.set(key, wish);
      }
    }
    // Those that are read already stay: nobody is pushed out by who comes later.
    const keys = [...this.#wanted.keys()].filter((key) => all.has(key));
    const order = [...keys, ...[...all.keys()].filter((key) => !this.#wanted.has(key))];
    this.#wanted = new Map(order.slice(0, MOST_SECRETS).flatMap((key) => pairOf(key, all)));
    const before = this.#leftOut;
    this.#leftOut = new Set(order.slice(MOST_SECRETS));
    this.#newlyLeftOut = [...this.#leftOut].flatMap((key) => (before.has(key) ? [] : pairOf(key, all).map(([, wish]) => wish)));
  }

  /** Those that have just been left out, once. */
  takeLeftOut(): readonly CertificateRequest[] {
    const newly = this.#newlyLeftOut;
    this.#newlyLeftOut = [];
    return newly;
  }

  /** By namespace and name. */
  wanted(): ReadonlyMap<string, CertificateRequest> {
    return this.#wanted;
  }

  /** Somebody names it, and it is beyond what is read. */
  isLeftOut(key: string): boolean {
    return this.#leftOut.has(key);
  }
}

function pairOf(key: string, all: ReadonlyMap<string, CertificateRequest>): (readonly [string, CertificateRequest])[] {
  const wish = all.get(key);
  return wish === undefined ? [] : [[key, wish]];
}
