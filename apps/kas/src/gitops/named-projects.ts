import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import { atMost } from "../limits/at-most.ts";

/** Configuration streams repeat it at each look. */
export const NAMED_MS = 15 * 60_000;
/** What has not changed is written again after this. */
const REPEAT_MS = 5 * 60_000;
const MAX_AGENTS = 10_000;
/** Of one agent. */
export const MAX_NAMED_PROJECTS = 100;

interface Named {
  readonly projects: readonly string[];
  readonly atMs: number;
}

/** Manifest projects in the configurations that this process has sent to agents that report all of theirs. */
export class NamedProjects {
  readonly #clock: Clock;
  readonly #named = new LRUCache<bigint, Named>(atMost(MAX_AGENTS));

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns whether to write it to the store: it has changed, or was written long ago */
  name(agentId: bigint, projects: readonly string[]): boolean {
    const before = this.#named.get(agentId);
    const nowMs = this.#clock.now();
    const isSame = before !== undefined && before.projects.join("\n") === projects.join("\n");
    if (isSame && nowMs - before.atMs >= 0 && nowMs - before.atMs < REPEAT_MS) return false;
    this.#named.set(agentId, { projects, atMs: nowMs });
    return true;
  }

  /** `undefined` while nothing has named them, or not for long. */
  of(agentId: bigint): readonly string[] | undefined {
    const named = this.#named.get(agentId);
    const ageMs = named === undefined ? 0 : this.#clock.now() - named.atMs;
    return ageMs >= 0 && ageMs < NAMED_MS ? named?.projects : undefined;
  }

  /** The next `name` is written again. */
  forget(agentId: bigint): void {
    this.#named.delete(agentId);
  }
}
