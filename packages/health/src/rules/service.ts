import { fieldsAt, fieldsOf, listAt, textAt } from "@binnacle/kube";
import { quoted, words } from "@binnacle/words";

import { changedAt, DAY_MS, isOlderThan } from "../age.ts";
import { conditionsOf, trueCondition } from "../condition.ts";
import { endpointsOf, unservedPorts } from "../endpoints.ts";
import { degraded, healthy, progressing, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";

/** Service: a load balancer needs an address and takes its ports; any other, and one that has an address, is as well as what it sends traffic to. */
export const rule: KindRule = { kinds: ["/Service"], generation: "before", judge: serviceHealth };

function serviceHealth(input: RuleInput): Verdict {
  const type = textAt(input.spec, "type");
  if (type === "ExternalName") return healthy("ExternalName", words("service/no-health"));
  if (type !== "LoadBalancer") return served(input);
  const refused = trueCondition(conditionsOf(input.status), "LoadBalancerPortsError");
  if (refused !== undefined) {
    const message = words("service/ports-refused", { said: quoted(refused.message || refused.reason) });
    return degraded(refused.reason || "LoadBalancerPortsError", message, changedAt(refused, input));
  }
  const ingress = listAt(fieldsAt(input.status, "loadBalancer"), "ingress");
  if (ingress.some(hasAddress)) {
    const traffic = served(input);
    return traffic.status === "Healthy" ? healthy("AddressAssigned", words("service/address")) : traffic;
  }
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

/** What is known of its endpoints. A Service without any is noticed, since its workload may have been scaled to nothing. */
function served(input: RuleInput): Verdict {
  const related = input.related ?? [];
  const { ready, total, known } = endpointsOf(input.object, related);
  if (!known) return healthy("NotAssessed", words("service/no-health"));
  if (total === 0) return healthy("NoEndpoints", words("service/no-endpoints"));
  // Its pods, or whatever makes them, are what is broken: they say so.
  if (ready === 0) return progressing("NoReadyEndpoints", words("service/none-ready", { total }));
  const unserved = unservedPorts(input.object, related);
  if (unserved.length > 0) {
    const targets = [...new Set(unserved.map(({ target }) => target))];
    return degraded("PortNotFound", words("service/port-not-found", { count: targets.length, targets }));
  }
  return healthy("Served", words("service/served", { ready, total }));
}
