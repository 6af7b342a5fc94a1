import type { ProveAnswer } from "@binnacle/proto/kas-views";
import { Fault, type Clock } from "@binnacle/rpc";

import { agentFault } from "./agent-fault.ts";
import type { CanonicalSpec, CanonicalViewer } from "./canonical-spec.ts";
import { VIEW_BOUNDS } from "./view-bounds.ts";
import type { ViewsRequestInit } from "./views-call.ts";
import type { ViewsMetrics } from "./views-metrics.ts";

/** A subscriber whose rights are checked. Called synchronously. */
export interface PermissionSubscriber {
  /** The proof is valid (again); its rights may differ from before. */
  proved(): void;
  /** The proof has expired: nothing may be sent until it is valid again. */
  expired(): void;
  /** The agent could not check the rights this time. */
  failed(fault: Fault): void;
}

/** A proof as its subscriber sees it. */
export interface PermissionCheck {
  /** What was proved; undefined while nothing is. */
  readonly rights: string | undefined;
  /** Since when it is no longer proved, in milliseconds of the epoch; undefined while it is, or never was. */
  readonly expiredMs: number | undefined;
  /** The rights may have changed: the proof is invalid from now on, and the agent is queried at once. */
  invalidate(): void;
  /** It is not needed any more. Call it once. */
  release(): void;
}

/** What the checks need. */
export interface PermissionChecksOptions {
  readonly clock: Clock;
  readonly metrics: ViewsMetrics;
  readonly send: (request: ViewsRequestInit) => void;
  /** 0 ≤ random() < 1: so that a thousand viewers who joined at the same time are not proved at the same time from then on. */
  readonly random?: (() => number) | undefined;
}

/** Rights are proved again after this long. */
const PERIOD_MS = 30_000;
/** The maximum random reduction of the period, as a share. */
const SPREAD = 0.2;
/** An answer to a query that is older than this proves nothing. */
const MAX_AGE_MS = 60_000;
/** A query without an answer is repeated after this. */
const ANSWER_WITHIN_MS = 15_000;
/** Between a failed answer and the next query, and the minimum between any two queries. */
const AGAIN_MS = 5_000;

/** What viewers may read, as reported by the agent: one query for all subscribers with the same identity, kinds and namespaces. */
export class PermissionChecks {
  readonly #options: PermissionChecksOptions;
  readonly #proofs = new Map<string, Proof>();
  /** Queries without an answer, by id. */
  readonly #pending = new Map<bigint, Proof>();
  #lastId = 0n;
  #connected = false;

  constructor(options: PermissionChecksOptions) {
    this.#options = options;
  }

  /** Identities and domains that are proved now. */
  get size(): number {
    return this.#proofs.size;
  }

  /** @throws Fault `queue_full` */
  hold(viewer: CanonicalViewer, spec: CanonicalSpec, subscriber: PermissionSubscriber): PermissionCheck {
    const key = `${spec.domainKey} ${viewer.key}`;
    const proof = this.#proofs.get(key) ?? this.#begin(key, viewer, spec);
    proof.subscribers.add(subscriber);
    return {
      get rights() {
        return proof.rights;
      },
      get expiredMs() {
        return proof.expiredMs;
      },
      invalidate: () => proof.invalidate(),
      release: () => {
        proof.subscribers.delete(subscriber);
        if (proof.subscribers.size > 0 || this.#proofs.get(key) !== proof) return;
        this.#proofs.delete(key);
        proof.close();
      },
    };
  }

  /** The agent is connected: all rights are queried again, because it may be another agent. */
  up(): void {
    this.#connected = true;
    for (const proof of this.#proofs.values()) proof.ask();
  }

  /** The agent is disconnected; existing proofs age. */
  down(): void {
    this.#connected = false;
    this.#pending.clear();
    for (const proof of this.#proofs.values()) proof.rest();
  }

  /** @returns false for an answer to a query that was never sent */
  answered(answer: ProveAnswer): boolean {
    const { id, rights, reason, message, ageMs } = answer;
    if (rights.length > VIEW_BOUNDS.nameBytes || reason.length > VIEW_BOUNDS.nameBytes) return false;
    const proof = this.#pending.get(id);
    if (proof === undefined) return id > 0n && id <= this.#lastId;
    this.#pending.delete(id);
    if (rights === "") proof.failed(agentFault(reason, message || "the agent could not find out what may be read"));
    else proof.answered(rights, ageMs);
    return true;
  }

  #begin(key: string, viewer: CanonicalViewer, spec: CanonicalSpec): Proof {
    if (this.#proofs.size >= VIEW_BOUNDS.proofsPerAgent)
      throw new Fault("queue_full", `${VIEW_BOUNDS.proofsPerAgent} viewers of the agent are proved already`, { retryAfterSeconds: 30 });
    const proof: Proof = new Proof(this.#options, {
      send: () => {
        if (!this.#connected) return undefined;
        const id = (this.#lastId += 1n);
        this.#pending.set(id, proof);
        this.#options.send({ case: "prove", value: { id, viewer: viewer.viewer, view: spec.domain } });
        return id;
      },
      forget: (id) => this.#pending.delete(id),
    });
    this.#proofs.set(key, proof);
    proof.ask();
    return proof;
  }
}

/** How a proof queries the agent. */
interface Queries {
  /** @returns the id of the query; undefined while the agent is disconnected */
  send(): bigint | undefined;
  forget(id: bigint): void;
}

class Proof {
  readonly subscribers = new Set<PermissionSubscriber>();
  readonly #options: PermissionChecksOptions;
  readonly #queries: Queries;
  #proved: { readonly rights: string; readonly requestedMs: number } | undefined;
  #expiredMs: number | undefined;
  #query: { readonly id: bigint; readonly requestedMs: number } | undefined;
  #cancelNext = (): void => undefined;
  #cancelExpiry = (): void => undefined;

  constructor(options: PermissionChecksOptions, queries: Queries) {
    this.#options = options;
    this.#queries = queries;
  }

  get rights(): string | undefined {
    return this.#proved && this.#options.clock.now() - this.#proved.requestedMs <= MAX_AGE_MS ? this.#proved.rights : undefined;
  }

  get expiredMs(): number | undefined {
    return this.#expiredMs;
  }

  ask(): void {
    this.rest();
    const id = this.#queries.send();
    if (id === undefined) return;
    this.#query = { id, requestedMs: this.#options.clock.now() };
    this.#askIn(ANSWER_WITHIN_MS, () => this.#options.metrics.proof("unanswered"));
  }

  /** Stops queries until `ask` is called. */
  rest(): void {
    this.#cancelNext();
    if (this.#query) this.#queries.forget(this.#query.id);
    this.#query = undefined;
  }

  /** @param ageMs how old the answer was when it was given; the proof is as old as that */
  answered(rights: string, ageMs: number): void {
    const { clock, metrics, random = Math.random } = this.#options;
    const requestedMs = (this.#query?.requestedMs ?? clock.now()) - ageMs;
    this.rest();
    metrics.proof(this.#proved?.rights === rights ? "same" : "changed");
    this.#proved = { rights, requestedMs };
    this.#expiredMs = undefined;
    this.#cancelExpiry();
    this.#cancelExpiry = clock.after(Math.max(0, requestedMs + MAX_AGE_MS - clock.now()), () => this.#expire());
    this.#askIn(Math.max(AGAIN_MS, requestedMs + PERIOD_MS * (1 - SPREAD * random()) - clock.now()));
    for (const subscriber of this.subscribers) subscriber.proved();
  }

  failed(fault: Fault): void {
    this.rest();
    this.#options.metrics.proof("failed");
    this.#askIn(AGAIN_MS);
    for (const subscriber of this.subscribers) subscriber.failed(fault);
  }

  invalidate(): void {
    // Several members may report the same change: a query that was sent after it is enough.
    if (this.#proved === undefined && this.#query !== undefined) return;
    this.#expire();
    this.ask();
  }

  close(): void {
    this.rest();
    this.#cancelExpiry();
  }

  #expire(): void {
    this.#cancelExpiry();
    this.#proved = undefined;
    this.#expiredMs ??= this.#options.clock.now();
    for (const subscriber of this.subscribers) subscriber.expired();
  }

  #askIn(ms: number, before: () => void = () => undefined): void {
    this.#cancelNext();
    this.#cancelNext = this.#options.clock.after(ms, () => {
      before();
      this.ask();
    });
  }
}
