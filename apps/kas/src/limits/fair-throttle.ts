import { Fault, type Clock, type FaultReason } from "@binnacle/rpc";

import { FairQueue } from "./fair-queue.ts";
import { RefillingTokens, type Rate } from "./refilling-tokens.ts";

/** The share of a lane, and the longest retry time of a rejected caller. */
interface LaneOptions {
  /** Share of the rate while other lanes wait too, in proportion to theirs. */
  readonly weight: number;
  readonly comeBackWithinMs: number;
}

/**
 * Known callers go first. All others together are guaranteed a third of the rate, and get of the rest what known callers do not use;
 * among them, new ones go before suspect ones.
 */
export type Standing = "known" | "new" | "suspect";

/** One call that wants its turn. */
export interface Turn<L extends string> {
  readonly lane: L;
  readonly standing: Standing;
  /** Callers of one lane and standing take turns by this word. */
  readonly flow: string;
  /** Time the caller has left for waiting. */
  readonly maxWaitMs: number;
  /** Aborted when the caller has left. */
  readonly signal: AbortSignal;
  /** Called when the turn has come: a fault gives it to the next. */
  readonly onTurn?: () => Fault | undefined;
}

/** What a throttle is made from. */
export interface FairThrottleOptions<L extends string> {
  readonly clock: Clock;
  readonly rate: Rate;
  readonly lanes: Readonly<Record<L, LaneOptions>>;
  /** The error for a caller that cannot have a turn in time. */
  readonly busy: { readonly reason: FaultReason; readonly message: string };
  /** Whether callers who are not known may have more than their third; default: yes. */
  readonly surplus?: () => boolean;
  /** 0 ≤ random() < 1; a test passes a fixed one. */
  readonly random?: () => number;
}

interface Waiter<L extends string> {
  readonly turn: Turn<L>;
  readonly grant: () => void;
  readonly refuse: (fault: Fault) => void;
}

interface Lane<L extends string> {
  readonly options: LaneOptions;
  readonly queue: FairQueue<Waiter<L>>;
  /** Turns it has had, by weight: the lane with the fewest is next. */
  pass: number;
  /** The last retry time that was sent to a caller. */
  comeBackAtMs: number;
}

interface Group<L extends string> {
  readonly lanes: Map<L, Lane<L>>;
  /** Pass of the lane that had the last turn. A lane that rested saves nothing up. */
  pass: number;
}

const STRANGERS_SHARE = 1 / 3;
/** A lane never holds more than what this much time serves. */
const LONGEST_QUEUE_MS = 30_000;

/**
 * A token bucket with fair queues. A caller that cannot have a turn in time is rejected at once, with a retry time; a caller that
 * cancels gives its place back; a wait that has ended costs nothing. See `Standing` for the order.
 */
export class FairThrottle<L extends string> {
  readonly #options: FairThrottleOptions<L>;
  readonly #tokens: RefillingTokens;
  /** What callers who are not known have for certain. */
  readonly #share: RefillingTokens;
  /** Of a full bucket so much is kept for known callers. */
  readonly #reserve: number;
  readonly #groups: Readonly<Record<Standing, Group<L>>>;
  #cancelTimer: (() => void) | undefined;

  constructor(options: FairThrottleOptions<L>) {
    const { clock, rate, lanes } = options;
    const perSecond = rate.perSecond * STRANGERS_SHARE;
    this.#options = options;
    this.#tokens = new RefillingTokens(clock, rate);
    this.#share = new RefillingTokens(clock, { perSecond, burst: Math.max(1, perSecond) });
    this.#reserve = Math.floor(rate.burst * (1 - STRANGERS_SHARE));
    this.#groups = { known: groupOf(lanes), new: groupOf(lanes), suspect: groupOf(lanes) };
  }

  /** Calls that wait. */
  get waiting(): number {
    return sizeOf(this.#groups.known) + this.#strangers;
  }

  /**
   * Settles when it is this caller's turn: the call may be made. Else it must not.
   *
   * @throws Fault `busy.reason` with `retryAfterSeconds`, at once or at the latest after `maxWaitMs`; `cancelled`; what `onTurn` says
   */
  take(turn: Turn<L>): Promise<void> {
    if (turn.signal.aborted) return Promise.reject(left());
    const group = this.#groups[turn.standing];
    const lane = laneOf(group, turn.lane);
    const waitMs = this.#waitMsOf(turn, lane);
    if (waitMs > turn.maxWaitMs) return Promise.reject(this.#busy(turn, waitMs));
    if (lane.queue.size >= this.#longestQueue()) {
      const dropped = lane.queue.dropFromLongest(lane.queue.sizeOf(turn.flow) + 1);
      if (dropped === undefined) return Promise.reject(this.#busy(turn, waitMs));
      dropped.refuse(this.#busy(dropped.turn, waitMs));
    }
    if (lane.queue.size === 0) lane.pass = Math.max(lane.pass, group.pass);
    return new Promise((resolve, reject) => {
      this.#enter(lane, turn, { resolve, reject });
      this.#dispatch();
    });
  }

  /** A turn that was had and not used. */
  giveBack(): void {
    this.#tokens.giveBack();
    this.#dispatch();
  }

  get #strangers(): number {
    return sizeOf(this.#groups.new) + sizeOf(this.#groups.suspect);
  }

  #enter(lane: Lane<L>, turn: Turn<L>, settle: { readonly resolve: () => void; readonly reject: (fault: Fault) => void }): void {
    const end = (): void => {
      lane.queue.delete(turn.flow, waiter);
      cancelWait();
      turn.signal.removeEventListener("abort", leave);
    };
    const refuse = (fault: Fault): void => {
      end();
      settle.reject(fault);
    };
    const leave = (): void => refuse(left());
    const grant = (): void => {
      end();
      settle.resolve();
    };
    const waiter: Waiter<L> = { turn, grant, refuse };
    const cancelWait = this.#options.clock.after(turn.maxWaitMs, () => {
      // The turn may be due in this same millisecond.
      this.#dispatch();
      if (lane.queue.delete(turn.flow, waiter)) refuse(this.#busy(turn, this.#waitMsOf(turn, lane)));
    });
    turn.signal.addEventListener("abort", leave, { once: true });
    lane.queue.push(turn.flow, waiter);
  }

  #dispatch(): void {
    while (this.#grantNext());
    this.#arm();
  }

  /** @returns false when no caller can have a turn now */
  #grantNext(): boolean {
    if (!this.#tokens.has(1)) return false;
    const known = nextOf(this.#groups.known);
    const strangers = sizeOf(this.#groups.new) > 0 ? this.#groups.new : this.#groups.suspect;
    const stranger = nextOf(strangers);
    if (stranger !== undefined && this.#share.has(1)) {
      if (this.#grant(strangers, stranger)) this.#share.take();
    } else if (known !== undefined) this.#grant(this.#groups.known, known);
    else if (stranger !== undefined && this.#mayUseSurplus() && this.#tokens.has(this.#reserve + 1)) this.#grant(strangers, stranger);
    else return false;
    return true;
  }

  /** @returns whether the one whose turn it was took it */
  #grant(group: Group<L>, lane: Lane<L>): boolean {
    const waiter = lane.queue.shift();
    const fault = waiter?.turn.onTurn?.();
    if (fault !== undefined) waiter?.refuse(fault);
    if (waiter === undefined || fault !== undefined) return false;
    this.#tokens.take();
    group.pass = lane.pass;
    lane.pass += 1 / lane.options.weight;
    waiter.grant();
    return true;
  }

  /** One timer for all: when the next turn can be had. */
  #arm(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const times: number[] = [];
    const known = sizeOf(this.#groups.known);
    if (known > 0) times.push(this.#tokens.msUntil(1));
    if (this.#strangers > 0) {
      times.push(Math.max(this.#tokens.msUntil(1), this.#share.msUntil(1)));
      if (this.#mayUseSurplus() && known === 0) times.push(this.#tokens.msUntil(this.#reserve + 1));
    }
    if (times.length === 0) return;
    this.#cancelTimer = this.#options.clock.after(Math.max(1, Math.ceil(Math.min(...times))), () => {
      this.#cancelTimer = undefined;
      this.#dispatch();
    });
  }

  #mayUseSurplus(): boolean {
    return this.#options.surplus?.() ?? true;
  }

  /** How long a new caller would wait if no waiting caller cancels: an upper estimate. */
  #waitMsOf(turn: Turn<L>, lane: Lane<L>): number {
    const ready = this.waiting > 0 ? 0 : this.#readyFor(turn.standing);
    const ahead = lane.queue.turnsAhead(turn.flow) + (turn.standing === "suspect" ? sizeOf(this.#groups.new) : 0);
    return (Math.max(0, ahead + 1 - ready) * 1_000) / this.#rateOf(turn.standing, lane);
  }

  #readyFor(standing: Standing): number {
    if (standing === "known") return this.#tokens.level;
    const surplus = this.#mayUseSurplus() ? this.#tokens.level - this.#reserve : 0;
    return Math.max(Math.min(this.#share.level, this.#tokens.level), surplus);
  }

  /** Turns per second of a lane while all other callers continue to wait. */
  #rateOf(standing: Standing, lane: Lane<L>): number {
    const { perSecond } = this.#options.rate;
    let weights = lane.queue.size === 0 ? lane.options.weight : 0;
    for (const other of this.#groups[standing].lanes.values()) if (other.queue.size > 0) weights += other.options.weight;
    const share = lane.options.weight / weights;
    if (standing === "known") return perSecond * share * (this.#strangers > 0 ? 1 - STRANGERS_SHARE : 1);
    return perSecond * share * (this.#mayUseSurplus() && sizeOf(this.#groups.known) === 0 ? 1 : STRANGERS_SHARE);
  }

  #longestQueue(): number {
    return Math.max(16, (this.#options.rate.perSecond * LONGEST_QUEUE_MS) / 1_000);
  }

  /** Each rejected caller gets a different retry time, so that they do not retry together. The time is not a reservation. */
  #busy(turn: Turn<L>, waitMs: number): Fault {
    const { clock, busy, random = Math.random } = this.#options;
    const lane = laneOf(this.#groups[turn.standing], turn.lane);
    const { comeBackWithinMs } = lane.options;
    const now = clock.now();
    const atMs = Math.max(Math.min(lane.comeBackAtMs, now + comeBackWithinMs), now + waitMs) + 1_000 / this.#rateOf(turn.standing, lane);
    lane.comeBackAtMs = Math.min(atMs, now + comeBackWithinMs);
    const delayMs = atMs - now > comeBackWithinMs ? comeBackWithinMs * (0.5 + random() / 2) : (atMs - now) * (1 + random() / 10);
    const retryAfterSeconds = Math.max(1, Math.ceil(delayMs / 1_000));
    return new Fault(busy.reason, `${busy.message}; come back in ${retryAfterSeconds} s`, { retryAfterSeconds });
  }
}

function groupOf<L extends string>(lanes: Readonly<Record<L, LaneOptions>>): Group<L> {
  const result = new Map<L, Lane<L>>();
  for (const name in lanes) result.set(name, { options: lanes[name], queue: new FairQueue(), pass: 0, comeBackAtMs: 0 });
  return { lanes: result, pass: 0 };
}

function laneOf<L extends string>(group: Group<L>, name: L): Lane<L> {
  const lane = group.lanes.get(name);
  if (lane === undefined) throw new Error(`the throttle has no lane ${name}`);
  return lane;
}

function sizeOf<L extends string>(group: Group<L>): number {
  let size = 0;
  for (const lane of group.lanes.values()) size += lane.queue.size;
  return size;
}

/** The lane whose turn it is among those that wait. */
function nextOf<L extends string>(group: Group<L>): Lane<L> | undefined {
  let next: Lane<L> | undefined;
  for (const lane of group.lanes.values()) if (lane.queue.size > 0 && lane.pass < (next?.pass ?? Number.POSITIVE_INFINITY)) next = lane;
  return next;
}

function left(): Fault {
  return new Fault("cancelled", "the caller left");
}
