import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

const MOST_AGENTS = 10_000;
/** Words of kas that are further apart leave open what was in between; an open page asks every 10 s, and kas waits 20 s for an agent. */
const WITNESSED_MS = 90_000;

/** What kas' answer to a request says of the way behind it. */
export type WayWord = "answered" | "agent_offline" | "api_down";

interface Heard {
  readonly word: WayWord;
  readonly atMs: number;
  /** Since when it has been this word; absent: it was so already when somebody looked for the first time. */
  readonly sinceMs: number | undefined;
}

/**
 * Since when agents, and the API servers behind them, are away, as far as this process has seen it go. Whoever comes later than that is
 * told the time; where nobody was looking, nobody says since when.
 */
export class AgentAbsences {
  readonly #heard = new LRUCache<string, Heard>({ max: MOST_AGENTS });
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** kas has said something of the way to an agent's cluster. */
  hear(agentId: bigint, word: WayWord): void {
    const before = this.#heard.get(String(agentId));
    const atMs = this.#clock.now();
    const isWitnessed = before !== undefined && Math.abs(atMs - before.atMs) <= WITNESSED_MS;
    const witnessed = before?.word === word ? before.sinceMs : before?.atMs;
    this.#heard.set(String(agentId), { word, atMs, sinceMs: isWitnessed ? witnessed : undefined });
  }

  /** The last moment before it was so, milliseconds since the epoch; `undefined` when nobody knows. */
  sinceMs(agentId: bigint, word: WayWord): number | undefined {
    const heard = this.#heard.get(String(agentId));
    return heard?.word === word ? heard.sinceMs : undefined;
  }
}
