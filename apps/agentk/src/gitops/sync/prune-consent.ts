/** So many objects a sync prunes by itself, even when they are most of the inventory (but not all of it). */
const FEW = 10;

/**
 * Why pruning needs somebody's consent; undefined when it does not. `prune: true` is no consent to delete everything: what left the
 * manifests by a mistake (a folder moved, a branch emptied) looks like what left them on purpose.
 */
export function whyConsentNeeded(count: { readonly listed: number; readonly pruned: number }): string | undefined {
  if (count.pruned === 0) return undefined;
  if (count.pruned >= count.listed) return `all ${count.listed} objects of the inventory would be pruned`;
  if (count.pruned > FEW && count.pruned * 2 > count.listed)
    return `${count.pruned} of ${count.listed} objects of the inventory would be pruned`;
  return undefined;
}
