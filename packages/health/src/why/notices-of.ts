import type { KubeObject } from "@binnacle/kube";

import { noticed } from "./explain.ts";
import { sinceOf } from "./root.ts";
import type { HealthNotice, WhyContext } from "./why.ts";

/**
 * Things to know about a resource that do not change its status, gravest first: a Service without ready endpoints, an Ingress
 * or route whose backend is missing or not ready, a controller that publishes no addresses, a budget that allows no disruption, an autoscaler at its maximum, a pod that was restarted often, references to what
 * does not exist. Pure; never throws; the order of `related` and `events` does not matter.
 */
export function noticesOf(resource: KubeObject, context: WhyContext): readonly HealthNotice[] {
  try {
    return noticed(resource, context).map(({ reason, message, nextStep, since }) => ({
      reason,
      message,
      nextStep,
      ...sinceOf(since ?? ""),
    }));
  } catch {
    // As in `whyOf`: no notices are better than no view.
    return [];
  }
}
