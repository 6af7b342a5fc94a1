import type { Clock } from "@binnacle/rpc";

const WINDOW_MS = 60_000;
const MAX_VIOLATIONS = 10;

/** How often each agent broke the rules of its tunnels, whatever connection it came on: a new one is no clean slate. */
export class ViolationLog {
  readonly #clock: Clock;
  readonly #counts = new Map<bigint, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Agents with a violation in the last minute; each is an agent that the main application knows. */
  get size(): number {
    return this.#counts.size;
  }

  /** @returns whether the agent has done it too often: nothing is taken from it until a minute after its first violation */
  add(agentId: bigint): boolean {
    const count = (this.#counts.get(agentId) ?? 0) + 1;
    this.#counts.set(agentId, count);
    if (count === 1) this.#clock.after(WINDOW_MS, () => this.#counts.delete(agentId));
    return count >= MAX_VIOLATIONS;
  }

  isExcluded(agentId: bigint): boolean {
    return (this.#counts.get(agentId) ?? 0) >= MAX_VIOLATIONS;
  }
}
