import { Fault } from "@binnacle/rpc";

import type { WatchBudget } from "../agent-call/agent-call.ts";
import { callerKey, type CallContext, type Caller } from "../agent-call/call-context.ts";
import type { WatchLimits } from "./watch-limits.ts";

/** What one caller has of an agent now. */
interface Share {
  running: number;
  waiting: number;
  /** Watches and upgrades, running and waiting. */
  watches: number;
}

/** One call that is counted. */
export interface CountedCall {
  /** Running calls of its caller: the next free tunnel goes to whom has fewest. */
  readonly runningOfCaller: number;
  /** Counts it no more; only the first time. */
  leave(): void;
}

interface EntryOf {
  readonly key: string;
  readonly share: Share;
  readonly state: "running" | "waiting";
  readonly isWatch: boolean;
}

class Entry implements CountedCall {
  readonly of: EntryOf;
  readonly #shares: AgentShares;
  #entered = true;

  constructor(shares: AgentShares, of: EntryOf) {
    this.#shares = shares;
    this.of = of;
  }

  get runningOfCaller(): number {
    return this.of.share.running;
  }

  leave(): void {
    if (!this.#entered) return;
    this.#entered = false;
    this.#shares.count(this.of, -1);
  }
}

/** The running and waiting calls of one agent, counted by caller. */
export class AgentShares {
  readonly #shares = new Map<string, Share>();
  #watches = 0;

  /** Callers that have anything. */
  get size(): number {
    return this.#shares.size;
  }

  waitingOf(caller: Caller): number {
    return this.#shares.get(callerKey(caller))?.waiting ?? 0;
  }

  enter(context: CallContext, state: "running" | "waiting"): CountedCall {
    const key = callerKey(context.caller);
    let share = this.#shares.get(key);
    if (share === undefined) {
      share = { running: 0, waiting: 0, watches: 0 };
      this.#shares.set(key, share);
    }
    const entry = new Entry(this, { key, share, state, isWatch: isWatch(context) });
    this.count(entry.of, 1);
    return entry;
  }

  /** Of an entry. */
  count({ key, share, state, isWatch: watches }: EntryOf, step: 1 | -1): void {
    share[state] += step;
    if (watches) {
      share.watches += step;
      this.#watches += step;
    }
    if (share.running === 0 && share.waiting === 0) this.#shares.delete(key);
  }

  /** Why one more call like this is too much; `undefined` when it is not. */
  refusal(agentId: bigint, context: CallContext, limits: WatchLimits): Fault | undefined {
    if (!isWatch(context)) return undefined;
    const own = this.#shares.get(callerKey(context.caller))?.watches ?? 0;
    const retryAfterSeconds = 5;
    if (this.#watches >= limits.total) {
      const message = `agent ${agentId} carries ${this.#watches} watches, and the rest of its tunnels stays free for short requests`;
      return new Fault("watch_limit", message, { retryAfterSeconds });
    }
    if (own < limits.perCaller) return undefined;
    const message = `you have ${own} watches open through agent ${agentId}, which is your share of its tunnels; close some first`;
    return new Fault("share_exceeded", message, { retryAfterSeconds });
  }

  budget(caller: Caller, limits: WatchLimits): WatchBudget {
    const own = this.#shares.get(callerKey(caller))?.watches ?? 0;
    const free = Math.min(limits.budget - this.#watches, limits.perCaller - own);
    return { limit: limits.budget, free: Math.max(0, free) };
  }
}

function isWatch(context: CallContext): boolean {
  return context.class === "watch" || context.class === "upgrade";
}
