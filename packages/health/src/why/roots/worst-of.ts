import type { Fields } from "@binnacle/kube";

import { isLeaving } from "../../failing-pods.ts";
import { healthWith } from "../../health.ts";
import type { HealthResult } from "../../health-result.ts";
import { refOf } from "../../health-ref.ts";
import { rankOf } from "../../health-status.ts";
import type { World } from "../world.ts";

/** What `health` says of an object on the way down. */
export function healthOf(object: Fields, world: World): HealthResult | null {
  // The related objects are those of the resource above, which hold the descendants of this one.
  return healthWith(object, () => world);
}

/**
 * The object that is to blame most: the worst; among those on their way the one that is so for longest; then by name. What is
 * Healthy, Suspended, without opinion or already being deleted is not to blame.
 *
 * @param least the best status that still counts
 */
export function worstOfObjects(objects: readonly Fields[], least: "Progressing" | "Degraded", world: World): Fields | undefined {
  let worst: { readonly object: Fields; readonly key: string } | undefined;
  for (const object of objects) {
    if (isLeaving(object)) continue;
    const result = healthOf(object, world);
    if (result === null || rankOf(result.status) < rankOf(least)) continue;
    // Unknown is no evidence against anybody while something is known to be broken.
    const rank = result.status === "Unknown" ? 1 : 9 - rankOf(result.status);
    const since = result.status === "Progressing" ? (result.since ?? "~") : "";
    const { kind, name } = refOf(object);
    const key = `${rank === 1 ? 9 : rank}/${since}/${kind}/${name}`;
    if (worst === undefined || key < worst.key) worst = { object, key };
  }
  return worst?.object;
}
