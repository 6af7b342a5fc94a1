/**
 * Actions of each kind, as `group/resource`, in the order of a menu: what the server offers, what the page offers for many resources at once, and the
 * kinds for whose actions a drawer reserves room. Every namespaced kind can be edited and deleted besides.
 */
const ACTIONS_OF_KINDS = {
  "apps/deployments": ["restart", "scale", "set-image", "roll-back", "pause", "resume"],
  "apps/statefulsets": ["restart", "scale", "set-image", "roll-back"],
  "apps/daemonsets": ["restart", "set-image", "roll-back"],
  "batch/cronjobs": ["run-now", "set-image", "suspend", "unsuspend"],
  "batch/jobs": ["run-again", "suspend", "unsuspend", "stop"],
  "autoscaling/horizontalpodautoscalers": ["set-limits"],
  "/pods": ["evict"],
} as const;

/** An action that some kind has of its own. */
export type ActionOfKind = (typeof ACTIONS_OF_KINDS)[keyof typeof ACTIONS_OF_KINDS][number];

const OF_KIND: Readonly<Record<string, readonly ActionOfKind[]>> = ACTIONS_OF_KINDS;

/** The actions of a kind; `undefined`: it has none of its own. */
export function actionsOfKind({
  group,
  resource,
}: {
  readonly group: string;
  readonly resource: string;
}): readonly ActionOfKind[] | undefined {
  return OF_KIND[`${group}/${resource}`];
}
