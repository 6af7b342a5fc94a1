import type { Clock } from "@binnacle/rpc";
import type { Words } from "@binnacle/words";
import { LRUCache } from "lru-cache";

const MAX_AGENTS = 10_000;
/** Words of kas that are further apart leave open what was in between; an open page asks every 10 s, and kas waits 20 s for an agent. */
const WITNESSED_MS = 90_000;

/** What is unavailable on the way to a cluster. */
type Unavailable = "agent_offline" | "api_down" | "kas_unreachable";

/** What the answer to a request says of the way, or that kas itself gave none. */
export type UpstreamState = "answered" | Unavailable;

/** Who is unavailable, and since when as far as anybody saw it. */
export interface KnownAbsence {
  readonly state: Unavailable;
  /** Milliseconds since the epoch. */
  readonly sinceMs: number | undefined;
  /** The last message of kas; absent when there was none. */
  readonly words?: Words;
}

interface Heard {
  readonly word: UpstreamState;
  readonly words: Words | undefined;
  readonly atMs: number;
  /** Since when it has been this word; absent: it was so at the first request already. */
  readonly sinceMs: number | undefined;
}

/**
 * Which agents, and API servers behind them, are unavailable and since when, as far as this process has seen it. Later viewers get this
 * at once; without requests at that time, the time is not known.
 */
export class AgentAbsences {
  readonly #heard = new LRUCache<string, Heard>({ max: MAX_AGENTS });
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A request has shown something of the way to an agent's cluster. @param words why it is unavailable, for people */
  hear(agentId: bigint, word: UpstreamState, words?: Words): void {
    const before = this.#heard.get(String(agentId));
    const atMs = this.#clock.now();
    const isWitnessed = before !== undefined && Math.abs(atMs - before.atMs) <= WITNESSED_MS;
    const witnessed = before?.word === word ? before.sinceMs : before?.atMs;
    this.#heard.set(String(agentId), { word, words, atMs, sinceMs: isWitnessed ? witnessed : undefined });
  }

  /** What was unavailable at the last request of any viewer; `undefined` when nothing was, or when that is too long ago. */
  current(agentId: bigint): KnownAbsence | undefined {
    const heard = this.#heard.get(String(agentId));
    if (heard === undefined || heard.word === "answered" || Math.abs(this.#clock.now() - heard.atMs) > WITNESSED_MS) return undefined;
    const { word, words, sinceMs } = heard;
    return { state: word, sinceMs, ...(words && { words }) };
  }

  /** The last moment before it was so, milliseconds since the epoch; `undefined` when it is not known. */
  sinceMs(agentId: bigint, word: UpstreamState): number | undefined {
    const heard = this.#heard.get(String(agentId));
    return heard?.word === word ? heard.sinceMs : undefined;
  }
}
