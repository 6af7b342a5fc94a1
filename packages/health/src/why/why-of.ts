import type { KubeObject } from "@binnacle/kube";

import { explain } from "./explain.ts";
import type { Why, WhyContext } from "./why.ts";

/**
 * Why a resource is not well: the chain from it down to the root reason, what to do, since when, and what changed before.
 * Knows less with less in the context, and says so in more general words. Pure: reads, never writes, never throws on any
 * JSON; the order of `related`, `events` and `missing` does not matter.
 *
 * @returns `null` = Healthy or without opinion, and nothing is to be noticed
 */
export function whyOf(resource: KubeObject, context: WhyContext): Why | null {
  try {
    return explain(resource, context)?.why ?? null;
  } catch {
    // A bug of an explainer must not take the view down; the health itself is shown all the same.
    return null;
  }
}
