/** A Secret whose certificate a reader requests. */
export interface CertificateRequest {
  readonly namespace: string;
  readonly name: string;
  /** resourceVersion in the list; empty: the Secret is not in sight. */
  readonly version: string;
}

/** Secrets that are read for one view. */
const MAX_SECRETS = 100;

/** The Secrets that readers name: each once, in the version that was seen last, and not more than are read. */
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
  set(reader: object, requests: readonly CertificateRequest[]): void {
    // The latest request of all readers has the newest version.
    this.#byReader.delete(reader);
    if (requests.length > 0) this.#byReader.set(reader, requests);
    const all = new Map<string, CertificateRequest>();
    for (const list of this.#byReader.values()) {
      for (const request of list) {
        const key = `${request.namespace}/${request.name}`;
        if (request.version !== "" || !all.has(key)) all.set(key, request);
      }
    }
    // Secrets that are read already stay: a later reader does not displace them.
    const keys = [...this.#wanted.keys()].filter((key) => all.has(key));
    const order = [...keys, ...[...all.keys()].filter((key) => !this.#wanted.has(key))];
    this.#wanted = new Map(order.slice(0, MAX_SECRETS).flatMap((key) => pairOf(key, all)));
    const before = this.#leftOut;
    this.#leftOut = new Set(order.slice(MAX_SECRETS));
    this.#newlyLeftOut = [...this.#leftOut].flatMap((key) => (before.has(key) ? [] : pairOf(key, all).map(([, request]) => request)));
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

  /** A reader names it, and it is beyond the limit. */
  isLeftOut(key: string): boolean {
    return this.#leftOut.has(key);
  }
}

function pairOf(key: string, all: ReadonlyMap<string, CertificateRequest>): (readonly [string, CertificateRequest])[] {
  const request = all.get(key);
  return request === undefined ? [] : [[key, request]];
}
