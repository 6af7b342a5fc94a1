import { ChangeError, Replica, type TableReader } from "@binnacle/replica";
import type { ViewUpdate } from "@binnacle/proto/kas-views";
import { Backoff, type Clock, type Fault } from "@binnacle/rpc";
import type { ByteAccount } from "@binnacle/grpc-wire";

import type { CanonicalSpec, CanonicalViewer } from "./canonical-spec.ts";
import { VIEW_BOUNDS } from "./view-bounds.ts";
import type { ViewsMetrics } from "./views-metrics.ts";

/** A subscriber of a topic. */
export interface TopicMember {
  readonly viewer: CanonicalViewer;
  /** Something about the topic is not as before. */
  changed(): void;
  /** Its rights may have changed: nothing is sent to it until they are proved again. */
  invalidate(): void;
  /** The topic is no more. */
  ended(fault: Fault): void;
}

/** A topic as the agent knows it now. */
interface Subscribed {
  readonly id: bigint;
  carrier: CanonicalViewer;
}

/** What a topic is made of. */
export interface ViewTopicOptions {
  readonly spec: CanonicalSpec;
  /** What all of its members were proved to may read. */
  readonly rights: string;
  readonly clock: Clock;
  readonly metrics: ViewsMetrics;
  readonly random?: (() => number) | undefined;
}

/** Telling one reader takes a fraction of this, so one view takes a fraction of a core however its agent talks. */
const MEMBER_PACE_MS = 0.2;
const LONGEST_PACE_MS = 2_000;
/** A topic that was served for so long was healthy: its backoff starts again. */
const HEALTHY_MS = 10_000;

/** One view for all subscribers with the same rights: the table of the agent, as far as it was received. */
export class ViewTopic {
  readonly spec: CanonicalSpec;
  readonly rights: string;
  readonly members = new Set<TopicMember>();
  /** How long to wait before it is begun again. */
  readonly backoff: Backoff;
  /** Absent: the agent does not know of it (yet, any more). */
  subscribed: Subscribed | undefined;
  /** Takes back what is to happen with it later. */
  cancelLater = (): void => undefined;
  readonly #replica = new Replica({
    bounds: { bytes: VIEW_BOUNDS.topicBytes, entries: VIEW_BOUNDS.entries, keyLength: VIEW_BOUNDS.keyBytes },
  });
  readonly #clock: Clock;
  readonly #metrics: ViewsMetrics;
  #account: ByteAccount | undefined;
  /** Since when the agent vouches for what there is. */
  #currentMs: number | undefined;
  #lostMs: number | undefined;
  #isPaced = false;
  /** Readers do not know of the last change yet. */
  #hasNews = false;
  #cancelPace = (): void => undefined;

  constructor({ spec, rights, clock, metrics, random }: ViewTopicOptions) {
    this.spec = spec;
    this.rights = rights;
    this.#clock = clock;
    this.#metrics = metrics;
    this.backoff = new Backoff({ initialMs: 500, maxMs: 30_000, ...(random && { random }) });
  }

  /** Where its bytes are booked. */
  bookAt(account: ByteAccount): void {
    this.#account = account;
  }

  /** Whether there is something to show: it was heard whole once. */
  get isWhole(): boolean {
    return this.#replica.state !== "empty";
  }

  /** Whether the agent vouches for what there is. */
  get isCurrent(): boolean {
    return this.#currentMs !== undefined;
  }

  /** When it did so last; undefined when it has done so ever since, or never did. */
  get lostMs(): number | undefined {
    return this.#lostMs;
  }

  read(ready: () => void): TableReader {
    return this.#replica.table.open(ready);
  }

  /** The topic is requested from the agent. */
  begin(id: bigint, carrier: CanonicalViewer): void {
    this.subscribed = { id, carrier };
    this.#replica.restart();
  }

  /** The agent tells no more of it. What is there stays, and what came by half is forgotten. */
  lose(): void {
    this.subscribed = undefined;
    this.#replica.discardPieces();
    this.#book();
    if (this.#currentMs === undefined) return;
    this.#lostMs = this.#clock.now();
    // One that ends as soon as it is there is no better than one that never is.
    if (this.#lostMs - this.#currentMs >= HEALTHY_MS) this.backoff.reset();
    this.#currentMs = undefined;
  }

  /**
   * Takes a piece of a change. Readers hear of it when it is whole.
   *
   * @throws ChangeError
   */
  receive(update: ViewUpdate): void {
    if (!this.#replica.receive(update)) return this.#book();
    this.#metrics.update("in");
    this.#book();
    const { bytes, table } = this.#replica;
    if (table.size > VIEW_BOUNDS.entries || bytes > VIEW_BOUNDS.topicBytes)
      throw new ChangeError("size", `a view of ${table.size} entries and ${bytes} bytes`);
    const wasCurrent = this.isCurrent;
    this.#currentMs ??= this.#clock.now();
    if (wasCurrent) return this.#announce();
    for (const member of this.members) member.changed();
  }

  /** Gives back what it holds. */
  close(): void {
    this.cancelLater();
    this.#cancelPace();
    this.#account?.close();
  }

  /** Tells its readers, at a pace: what costs the agent one message costs kas one for each of them. */
  #announce(): void {
    if (this.#isPaced) {
      this.#hasNews = true;
      return;
    }
    this.#hasNews = false;
    this.#replica.table.announce();
    const paceMs = Math.min(this.members.size * MEMBER_PACE_MS, LONGEST_PACE_MS);
    if (paceMs < 1) return;
    this.#isPaced = true;
    this.#cancelPace = this.#clock.after(paceMs, () => {
      this.#isPaced = false;
      if (this.#hasNews) this.#announce();
    });
  }

  #book(): void {
    const account = this.#account;
    if (account === undefined) return;
    const more = this.#replica.bytes - account.held;
    // Over the limit of the agent its largest stream is cut, perhaps this one.
    if (more > 0) account.charge(more);
    else account.release(-more);
  }
}
