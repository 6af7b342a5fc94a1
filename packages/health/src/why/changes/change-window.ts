import { timeOf } from "../../age.ts";
import { CLOCK_SLACK_MS } from "../first-bad-at.ts";
import type { PrecedingChange } from "../why.ts";

/** A change longer ago than this is not brought up: one hour. */
export const PRECEDING_WINDOW_MS = 3_600_000;

/** When two changes are of the same moment, the more telling one is named. */
const TELLING: readonly PrecedingChange["what"][] = ["rollout", "config", "node", "scaling"];

/** The latest change at or before a time (ISO 8601), with a little slack for clocks, and not too long before it. */
export function latestBefore(changes: readonly PrecedingChange[], time: string): PrecedingChange | undefined {
  const bad = timeOf(time);
  const near = changes.flatMap((change) => {
    const at = timeOf(change.at);
    if (Number.isNaN(at) || at > bad + CLOCK_SLACK_MS || at < bad - PRECEDING_WINDOW_MS) return [];
    // Within the slack the order is unknown.
    return [{ change, at: Math.min(at, bad), rank: TELLING.indexOf(change.what) }];
  });
  near.sort((left, right) => right.at - left.at || left.rank - right.rank || (textOf(left.change) < textOf(right.change) ? -1 : 1));
  return near[0]?.change;
}

function textOf({ ref, message, at }: PrecedingChange): string {
  return `${ref.kind}/${ref.namespace}/${ref.name}/${at}/${JSON.stringify(message)}`;
}
