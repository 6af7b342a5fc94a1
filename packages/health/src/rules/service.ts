import { fieldsAt, listAt, textAt } from "@binnacle/kube";
import { quoted, words, type Words } from "@binnacle/words";

import { changedAt } from "../age.ts";
import { conditionsOf, trueCondition } from "../condition.ts";
import { endpointsOf } from "../endpoints.ts";
import { degraded, healthy, progressing, type RuleInput, type Verdict } from "../verdict.ts";

/** Service: only a load balancer can be unfinished; without an address nobody reaches it, nor on a port that it refuses. */
export function serviceHealth(input: RuleInput): Verdict {
  if (textAt(input.spec, "type") !== "LoadBalancer") return healthy("Served", servedWords(input));
  const refused = trueCondition(conditionsOf(input.status), "LoadBalancerPortsError");
  if (refused !== undefined) {
    const message = words("service/ports-refused", { said: quoted(refused.message || refused.reason) });
    return degraded(refused.reason || "LoadBalancerPortsError", message, changedAt(refused, input));
  }
  if (listAt(fieldsAt(input.status, "loadBalancer"), "ingress").length > 0) return healthy("AddressAssigned", words("service/address"));
  return progressing("AddressPending", words("service/no-address"), changedAt(undefined, input));
}

/** A Service has no health of its own; what is known of its endpoints is said all the same. */
function servedWords(input: RuleInput): Words {
  const { ready, total, known } = endpointsOf(input.object, input.related ?? []);
  if (!known) return words("service/no-health");
  if (total === 0) return words("service/no-endpoints");
  return ready === 0 ? words("service/none-ready", { total }) : words("service/served", { ready, total });
}
