import { fieldsAt, listAt, textAt, type Fields } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { changedAt, isOlderThan, MINUTE_MS } from "../age.ts";
import { isKind } from "../relatives.ts";
import { healthy, progressing, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";

/** The rule for Ingresses. */
export const rule: KindRule = { kinds: ["networking.k8s.io/Ingress", "extensions/Ingress"], generation: "before", judge: ingressHealth };

const NO_ADDRESS_GRACE_MS = 10 * MINUTE_MS;

/**
 * Ingress: has an address, or belongs to a controller that publishes none for anybody. Who sees only some namespaces never learns
 * which of the two it is, and has no opinion after the time that a controller needs.
 */
export function ingressHealth(input: RuleInput): Verdict | null {
  if (hasAddress(input.status)) return healthy("AddressAssigned", words("ingress/address"));
  const created = changedAt(undefined, input);
  const old = isOlderThan(created, NO_ADDRESS_GRACE_MS, input.now) === true;
  if (old && input.scope === "namespaces") return null;
  if (input.related !== undefined && old && !classPublishes(input)) {
    return healthy("NoAddressPublished", words("ingress/no-address-published"));
  }
  return progressing("AddressPending", words("ingress/no-address"), created);
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
