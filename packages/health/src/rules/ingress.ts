import { fieldsAt, listAt, textAt, type Fields } from "@binnacle/kube";

import { changedAt, isOlderThan, MINUTE_MS } from "../age.ts";
import { isKind } from "../relatives.ts";
import { healthy, progressing, type RuleInput, type Verdict } from "../verdict.ts";

const NO_ADDRESS_GRACE_MS = 10 * MINUTE_MS;

/** Ingress: has an address, or belongs to a controller that publishes none for anybody. */
export function ingressHealth(input: RuleInput): Verdict {
  if (hasAddress(input.status)) return healthy("AddressAssigned", "The Ingress has an address");
  const created = changedAt(undefined, input);
  if (input.related !== undefined && isOlderThan(created, NO_ADDRESS_GRACE_MS, input.now) === true && !classPublishes(input)) {
    return healthy("NoAddressPublished", "The ingress controller publishes no addresses");
  }
  return progressing("AddressPending", "The Ingress has no address yet", created);
}

/** Whether another Ingress of the class has an address. */
function classPublishes(input: RuleInput): boolean {
  const own = classOf(input.spec, input.metadata);
  return (input.related ?? []).some(
    (object) =>
      (isKind(object, "networking.k8s.io", "Ingress") || isKind(object, "extensions", "Ingress")) &&
      classOf(fieldsAt(object, "spec"), fieldsAt(object, "metadata")) === own &&
      hasAddress(fieldsAt(object, "status")),
  );
}

function classOf(spec: Fields, metadata: Fields): string {
  return textAt(spec, "ingressClassName") || textAt(fieldsAt(metadata, "annotations"), "kubernetes.io/ingress.class");
}

function hasAddress(status: Fields): boolean {
  return listAt(fieldsAt(status, "loadBalancer"), "ingress").length > 0;
}
