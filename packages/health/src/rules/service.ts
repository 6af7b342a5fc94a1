import { fieldsAt, fieldsOf, listAt, textAt } from "@binnacle/kube";
import { quoted, words } from "@binnacle/words";

import { changedAt, DAY_MS, isOlderThan } from "../age.ts";
import { conditionsOf, trueCondition } from "../condition.ts";
import { endpointsOf } from "../endpoints.ts";
import { degraded, healthy, progressing, type RuleInput, type Verdict } from "../verdict.ts";

/** Service: only a load balancer can be unfinished; without an address nobody reaches it, nor on a port that it refuses. */
export function serviceHealth(input: RuleInput): Verdict {
  const type = textAt(input.spec, "type");
  if (type === "ExternalName") return healthy("ExternalName", words("service/no-health"));
  if (type !== "LoadBalancer") return served(input);
  const refused = trueCondition(conditionsOf(input.status), "LoadBalancerPortsError");
  if (refused !== undefined) {
    const message = words("service/ports-refused", { said: quoted(refused.message || refused.reason) });
    return degraded(refused.reason || "LoadBalancerPortsError", message, changedAt(refused, input));
  }
  const ingress = listAt(fieldsAt(input.status, "loadBalancer"), "ingress");
  if (ingress.some(hasAddress)) return healthy("AddressAssigned", words("service/address"));
  const created = changedAt(undefined, input);
  // An entry without an address is the last that some controllers write.
  if (ingress.length > 0 && isOlderThan(created, DAY_MS, input.now) === true) {
    return healthy("NoAddressPublished", words("service/no-address-published"));
  }
  return progressing("AddressPending", words("service/no-address"), created);
}

function hasAddress(ingress: unknown): boolean {
  const fields = fieldsOf(ingress);
  return textAt(fields, "ip") !== "" || textAt(fields, "hostname") !== "";
}

/** A Service has no health of its own: the reason is what is known of its endpoints. */
function served(input: RuleInput): Verdict {
  const { ready, total, known } = endpointsOf(input.object, input.related ?? []);
  if (!known) return healthy("NotAssessed", words("service/no-health"));
  if (total === 0) return healthy("NoEndpoints", words("service/no-endpoints"));
  if (ready === 0) return healthy("NoReadyEndpoints", words("service/none-ready", { total }));
  return healthy("Served", words("service/served", { ready, total }));
}
