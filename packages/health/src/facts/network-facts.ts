import { fieldsAt, listAt, numberAt, textAt, type Fields } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import { isKind, isOwnedBy } from "../relatives.ts";
import type { RuleInput } from "../verdict.ts";
import { named } from "./named.ts";

/** "ClusterIP :80 · 2/5", where 2 of 5 endpoints are ready; "· 0 endpoints"; "ExternalName db.example". */
export function serviceFact(input: RuleInput): Words | undefined {
  const type = textAt(input.spec, "type") || "ClusterIP";
  if (type === "ExternalName") return named(`${type} ${textAt(input.spec, "externalName")}`.trim());
  const ports = listAt(input.spec, "ports").map((port) => String(numberAt(port, "port") ?? "?"));
  const shown = ports.length > 3 ? [...ports.slice(0, 3), "…"] : ports;
  const head = { type: textAt(input.spec, "clusterIP") === "None" ? words("fact/headless") : type, ports: shown.join(",") };
  const slices = slicesOf(input);
  if (slices === undefined) return words("fact/service", head);
  const { ready, total } = countEndpoints(slices);
  return words("fact/service", { ...head, endpoints: total === 0 ? words("fact/no-endpoints") : `${ready}/${total}` });
}

/** "2/5 ready". */
export function endpointSliceFact(input: RuleInput): Words {
  const { ready, total } = countEndpoints([input.object]);
  return total === 0 ? words("fact/no-endpoints") : words("fact/ready", { count: `${ready}/${total}` });
}

/** "shop.example", "shop.example +2", "all hosts". */
export function ingressFact(input: RuleInput): Words {
  const hosts = [...new Set(listAt(input.spec, "rules").map((rule) => textAt(rule, "host")))].filter((host) => host !== "");
  const [first] = hosts;
  if (first === undefined) return words("fact/all-hosts");
  return words("fact/host", { host: first, more: hosts.length === 1 ? undefined : hosts.length - 1 });
}

/** "all pods" or "some pods", with the directions it restricts. */
export function networkPolicyFact(input: RuleInput): Words {
  const selector = fieldsAt(input.spec, "podSelector");
  const all = Object.keys(fieldsAt(selector, "matchLabels")).length === 0 && listAt(selector, "matchExpressions").length === 0;
  const types = listAt(input.spec, "policyTypes").filter((type) => typeof type === "string");
  return words(all ? "fact/all-pods" : "fact/some-pods", { directions: types.join(", ") });
}

function slicesOf(input: RuleInput): readonly Fields[] | undefined {
  if (input.related === undefined) return undefined;
  const name = textAt(input.metadata, "name");
  return input.related.filter((object) => {
    if (!isKind(object, "discovery.k8s.io", "EndpointSlice")) return false;
    const labels = fieldsAt(fieldsAt(object, "metadata"), "labels");
    return labels["kubernetes.io/service-name"] === name || isOwnedBy(object, input.object);
  });
}

/** Endpoints of several slices; one pod with an IPv4 and an IPv6 slice is one endpoint. Absent `ready` means ready. */
function countEndpoints(slices: readonly Fields[]): { readonly ready: number; readonly total: number } {
  const seen = new Map<string, boolean>();
  let nameless = 0;
  for (const slice of slices) {
    for (const endpoint of listAt(slice, "endpoints")) {
      const target = fieldsAt(endpoint, "targetRef");
      const id = textAt(target, "uid") || textAt(target, "name") || `#${(nameless += 1)}`;
      const ready = fieldsAt(endpoint, "conditions")["ready"] !== false;
      seen.set(id, (seen.get(id) ?? false) || ready);
    }
  }
  return { ready: [...seen.values()].filter(Boolean).length, total: seen.size };
}
