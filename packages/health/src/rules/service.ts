import { fieldsAt, listAt, textAt } from "@binnacle/kube";

import { changedAt } from "../age.ts";
import { healthy, progressing, type RuleInput, type Verdict } from "../verdict.ts";

/** Service: only a load balancer can be unfinished; without an address nobody reaches it. */
export function serviceHealth(input: RuleInput): Verdict {
  if (textAt(input.spec, "type") !== "LoadBalancer") return healthy("Served", "The Service is served");
  if (listAt(fieldsAt(input.status, "loadBalancer"), "ingress").length > 0)
    return healthy("AddressAssigned", "The load balancer has an address");
  return progressing("AddressPending", "The load balancer has no address yet", changedAt(undefined, input));
}
