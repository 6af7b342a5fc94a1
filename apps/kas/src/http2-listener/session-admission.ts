import { constants, type ServerHttp2Session } from "node:http2";

import { STREAM_WINDOW_BYTES } from "@binnacle/grpc-wire";
import { addressGroup, type Clock } from "@binnacle/rpc";

/** Bounds of what those may hold who have not shown a good credential yet. */
export interface SessionAdmissionOptions {
  readonly clock: Clock;
  /** Sessions of one address that have no credential under examination either. */
  readonly maxPerAddress: number;
  /** Sessions of all addresses together, those with a credential under examination too; default 8,192. */
  readonly maxUnproved?: number;
  /** How long a session may live without a good credential. One that is just being checked then gets as long once more. */
  readonly proofMs: number;
  readonly onRefused: (address: string, reason: "unauthenticated_timeout" | "unauthenticated_limit") => void;
}

/** Result of the check of a credential; `unknown` when it could not be checked, and the client got a retry delay. */
export type ProofVerdict = "proved" | "refused" | "unknown";

/** A session without a good credential so far. */
interface Unproved {
  readonly session: ServerHttp2Session;
  readonly address: string;
  /** What it is counted by: a site is one address. */
  readonly group: string;
  /** Streams whose credential is being checked. */
  checking: number;
  hasSpoken: boolean;
  cancel: () => void;
  cancelNewness: () => void;
}

const MAX_UNPROVED = 8_192;
/** Who has just come is about to show a credential: a whole fleet may come at once. */
const NEW_MS = 2_000;
/** Window of a stream until then: what a client may make us hold before we know it. HTTP/2's own default. */
export const UNPROVED_WINDOW_BYTES = 65_535;

/**
 * Which sessions may stay: those with an authenticated stream, and for a while those that may still have one. When an address has too
 * many, the oldest goes: behind a balancer all clients have its address.
 */
export class SessionAdmission {
  readonly #options: SessionAdmissionOptions;
  /** Oldest first. */
  readonly #unproved = new Map<ServerHttp2Session, Unproved>();
  /** The same by address. */
  readonly #byGroup = new Map<string, Set<Unproved>>();
  /** Of each address, those that wait for nothing, oldest first. */
  readonly #silent = new Map<string, Set<Unproved>>();

  constructor(options: SessionAdmissionOptions) {
    this.#options = options;
  }

  /** Sessions without a good credential. */
  get size(): number {
    return this.#unproved.size;
  }

  /** A new session; it, or an older one, may be closed at once. */
  admit(session: ServerHttp2Session, address: string): void {
    const { clock, proofMs, maxUnproved = MAX_UNPROVED } = this.#options;
    const nothing = (): void => undefined;
    const group = addressGroup(address);
    const entry: Unproved = { session, address, group, checking: 0, hasSpoken: false, cancel: nothing, cancelNewness: nothing };
    entry.cancel = clock.after(proofMs, () => this.#late(entry));
    entry.cancelNewness = clock.after(NEW_MS, () => entry.hasSpoken || this.#silence(entry));
    this.#unproved.set(session, entry);
    insert(this.#byGroup, entry);
    session.once("close", () => this.#forget(entry));
    if (this.#unproved.size > maxUnproved) this.#makeRoom();
  }

  /** A credential on a stream of the session is being checked. @returns say once how it ended */
  check(session: ServerHttp2Session): (verdict: ProofVerdict) => void {
    const entry = this.#unproved.get(session);
    if (!entry) return () => undefined;
    entry.checking += 1;
    entry.hasSpoken = true;
    this.#speak(entry);
    return (verdict) => {
      entry.checking -= 1;
      if (this.#unproved.get(session) !== entry) return;
      if (verdict === "proved") this.#prove(entry);
      // A client with a retry delay is allowed to wait: after a restart, thousands of agents behind one address may do so.
      else if (verdict === "refused" && entry.checking === 0) this.#silence(entry);
    };
  }

  /**
   * One goes of the address that has most, so that one address cannot crowd out the others: the oldest that waits for nothing; when all
   * of them are being checked, the newest.
   */
  #makeRoom(): void {
    let most: ReadonlySet<Unproved> = new Set();
    for (const entries of this.#byGroup.values()) if (entries.size > most.size) most = entries;
    let leaving: Unproved | undefined;
    for (const entry of most) {
      leaving = entry;
      if (entry.checking === 0) break;
    }
    if (leaving !== undefined) this.#refuse(leaving, "unauthenticated_limit");
  }

  #prove(entry: Unproved): void {
    this.#forget(entry);
    if (!entry.session.destroyed) entry.session.settings({ initialWindowSize: STREAM_WINDOW_BYTES });
  }

  #silence(entry: Unproved): void {
    const silent = insert(this.#silent, entry);
    if (silent.size <= this.#options.maxPerAddress) return;
    for (const oldest of silent) return this.#refuse(oldest, "unauthenticated_limit");
  }

  #speak(entry: Unproved): void {
    remove(this.#silent, entry);
  }

  #late(entry: Unproved): void {
    const { clock, proofMs } = this.#options;
    const refuse = (): void => this.#refuse(entry, "unauthenticated_timeout");
    if (entry.checking === 0) refuse();
    else entry.cancel = clock.after(proofMs, refuse);
  }

  #refuse(entry: Unproved, reason: "unauthenticated_timeout" | "unauthenticated_limit"): void {
    this.#forget(entry);
    this.#options.onRefused(entry.address, reason);
    if (entry.session.destroyed) return;
    entry.session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    entry.session.destroy();
  }

  #forget(entry: Unproved): void {
    entry.cancel();
    entry.cancelNewness();
    this.#unproved.delete(entry.session);
    remove(this.#byGroup, entry);
    this.#speak(entry);
  }
}

function insert(groups: Map<string, Set<Unproved>>, entry: Unproved): Set<Unproved> {
  const entries = groups.get(entry.group) ?? new Set();
  groups.set(entry.group, entries.add(entry));
  return entries;
}

function remove(groups: Map<string, Set<Unproved>>, entry: Unproved): void {
  const entries = groups.get(entry.group);
  entries?.delete(entry);
  if (entries?.size === 0) groups.delete(entry.group);
}
