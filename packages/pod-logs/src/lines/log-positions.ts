import type { LogPosition } from "@binnacle/proto/dashboard-logs";

/** Runs of a container with a position: a read continues in the present one or the one before, and the status of a pod can be one late. */
const RUNS_WITH_POSITION = 3;
/** A request names at most 256 KiB of them (web) and 5,000 (agentk); a stream has at most 2,000 sources. */
const MAX_POSITIONS = 1_000;

/**
 * Where logs have been read to, by container and run. Bounded for a stream of any length: of a container the last runs have a position, and of many
 * containers those that were read last; runs that were read to their end leave first.
 */
export class LogPositions {
  /** By container, then by run, that which was read last at the end. */
  readonly #runs = new Map<string, Map<string, LogPosition>>();
  #count = 0;

  constructor(positions: readonly LogPosition[] = []) {
    this.advance(positions);
  }

  /** Takes where sources have been read to. */
  advance(positions: readonly LogPosition[]): void {
    for (const position of positions) {
      const key = `${position.namespace}/${position.pod}/${position.container}`;
      const runs = this.#runs.get(key) ?? new Map<string, LogPosition>();
      this.#runs.delete(key);
      this.#runs.set(key, runs);
      if (!runs.delete(position.containerId)) this.#count += 1;
      runs.set(position.containerId, position);
      const [oldest] = runs.keys();
      if (oldest !== undefined && runs.size > RUNS_WITH_POSITION) this.#drop(key, oldest);
    }
    while (this.#count > MAX_POSITIONS) this.#dropOne();
  }

  /** Where to continue after a break. */
  list(): LogPosition[] {
    return [...this.#runs.values()].flatMap((runs) => [...runs.values()]);
  }

  #dropOne(): void {
    for (const [key, runs] of this.#runs) {
      for (const [run, { reachedEnd }] of runs) if (reachedEnd) return this.#drop(key, run);
    }
    const [key = ""] = this.#runs.keys();
    const [run = ""] = this.#runs.get(key)?.keys() ?? [];
    this.#drop(key, run);
  }

  #drop(key: string, run: string): void {
    const runs = this.#runs.get(key);
    if (runs?.delete(run) === true) this.#count -= 1;
    if (runs?.size === 0) this.#runs.delete(key);
  }
}
