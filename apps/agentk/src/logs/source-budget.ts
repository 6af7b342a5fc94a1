import { Fault } from "@binnacle/rpc";
import type { LogsQuery } from "@binnacle/pod-logs";

/** A container that is followed holds about 32 KiB of lines that wait: all together stay below 64 MiB. */
const MOST_SOURCES = 2_000;
/** Of one call. */
const MOST_OF_CALL = 500;
/** A pod that is named has hardly more containers. */
const CONTAINERS_OF_POD = 10;

/** Shares out how many containers may be followed at a time, over all calls. */
export class SourceBudget {
  #free = MOST_SOURCES;

  /** Containers that may be followed now. */
  get free(): number {
    return this.#free;
  }

  /** How many containers a call may follow; `giveBack` is called once. @throws Fault `over_budget` when there is no room for one more call */
  take(query: LogsQuery): { readonly sources: number; readonly giveBack: () => void } {
    const sources = Math.min(wantedBy(query), this.#free);
    if (sources === 0) throw new Fault("over_budget", `this agent reads logs of ${MOST_SOURCES} containers at a time`);
    this.#free -= sources;
    return { sources, giveBack: () => void (this.#free += sources) };
  }
}

function wantedBy({ targets, containers }: LogsQuery): number {
  const ofPod = containers.length === 0 ? CONTAINERS_OF_POD : containers.length;
  const named = targets.every(({ pod }) => pod !== undefined) ? targets.length * ofPod : MOST_OF_CALL;
  return Math.min(named, MOST_OF_CALL);
}
