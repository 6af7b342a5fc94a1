import { fieldsAt, listAt } from "@binnacle/kube";

import { ingressHealth } from "../../rules/ingress.ts";
import type { Subject } from "../root.ts";
import { explanationOf, type Explanation } from "../explanation.ts";

/** Endpoints of one slice that are counted; Kubernetes allows a thousand. */
const MAX_ENDPOINTS = 1_000;

/** An Ingress whose controller publishes no addresses, or of which nobody here can see whether it does. */
export function ingressNotices({ input, ref, reason }: Subject): Explanation[] {
  if (reason === "NoAddressPublished") return [explanationOf("network", "no-address-published", { name: ref.name })];
  if (reason !== "" || ingressHealth(input) !== null) return [];
  return [explanationOf("network", "no-address-seen", { name: ref.name })];
}

/** An EndpointSlice with endpoints that are not ready; those that are on their way out do not count. */
export function sliceNotices({ input, ref }: Subject): Explanation[] {
  const endpoints = listAt(input.object, "endpoints")
    .slice(0, MAX_ENDPOINTS)
    .map((endpoint) => fieldsAt(endpoint, "conditions"))
    .filter((conditions) => conditions["terminating"] !== true);
  // Absent means ready.
  const ready = endpoints.filter((conditions) => conditions["ready"] !== false).length;
  if (ready === endpoints.length) return [];
  return [explanationOf("network", "slice-not-ready", { name: ref.name, ready, total: endpoints.length })];
}
