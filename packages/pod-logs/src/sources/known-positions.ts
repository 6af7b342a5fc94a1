import type { LogPosition } from "@binnacle/proto/dashboard-logs";
import { nanosOf } from "@binnacle/proto/wire-values";

import type { LinePosition } from "../lines/resume-point.ts";
import type { ContainerName } from "../reading/log-request.ts";

/** A position as a client gave it, checked. */
export interface KnownPosition extends LinePosition {
  readonly name: ContainerName;
  readonly containerId: string;
  readonly reachedEnd: boolean;
  readonly restarts: number | undefined;
}

const HASH_BYTES = 8;

/** A position that a client sent; `undefined` for one that cannot be one. */
function knownPositionOf({
  namespace,
  pod,
  container,
  containerId,
  time,
  linesAtTime,
  lastLineHash,
  reachedEnd,
  restarts,
}: LogPosition): KnownPosition | undefined {
  const timeNanos = time && nanosOf(time);
  if (timeNanos === undefined || linesAtTime < 1 || lastLineHash.length !== HASH_BYTES || containerId === "") return undefined;
  return { name: { namespace, pod, container }, containerId, timeNanos, linesAtTime, hash: lastLineHash, reachedEnd, restarts };
}

export function keyOf({ namespace, pod, container }: ContainerName): string {
  return `${namespace}/${pod}/${container}`;
}

/** Positions by container; those that no container took are of pods that are gone. */
export class KnownPositions {
  readonly #positions = new Map<string, KnownPosition[]>();

  constructor(positions: readonly LogPosition[]) {
    for (const position of positions) {
      const known = knownPositionOf(position);
      if (known === undefined) continue;
      const key = keyOf(known.name);
      const others = this.#positions.get(key);
      if (others === undefined) this.#positions.set(key, [known]);
      else others.push(known);
    }
  }

  /** The positions in a container, the newest first, once. */
  take(name: ContainerName): readonly KnownPosition[] {
    const found = this.#positions.get(keyOf(name)) ?? [];
    this.#positions.delete(keyOf(name));
    return found.toSorted((one, other) => (one.timeNanos < other.timeNanos ? 1 : one.timeNanos > other.timeNanos ? -1 : 0));
  }

  /** Positions that no container took. */
  takeRest(): readonly KnownPosition[] {
    const rest = [...this.#positions.values()].flat();
    this.#positions.clear();
    return rest;
  }
}
