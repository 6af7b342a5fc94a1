/** How many tunnels of an agent watches and upgrades may hold here. */
export interface WatchLimits {
  /** Of all callers together: the rest stays for short calls. */
  readonly total: number;
  /** Of one caller. */
  readonly perCaller: number;
  /** What callers that can sample instead should keep to. */
  readonly budget: number;
}

/** Agents without our capabilities have ten tunnels, and two of them stay for short calls. */
const WITHOUT_CAPABILITIES: WatchLimits = { total: 8, perCaller: 8, budget: 8 };

/**
 * The limits of an agent: half of the pool per caller, a fifth of it is never held by watches, a fifth is the budget.
 *
 * @param maxima how many tunnels each connected replica opens at most; `undefined` for one without our capabilities, whose limits
 *   then hold for all
 */
export function watchLimitsOf(maxima: readonly (number | undefined)[]): WatchLimits {
  let pool = 0;
  for (const maximum of maxima) {
    if (maximum === undefined) return WITHOUT_CAPABILITIES;
    pool += maximum;
  }
  return { total: atLeastOne(pool - Math.ceil(pool / 5)), perCaller: atLeastOne(pool / 2), budget: atLeastOne(pool / 5) };
}

function atLeastOne(tunnels: number): number {
  return Math.max(1, Math.floor(tunnels));
}
