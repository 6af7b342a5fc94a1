import { fieldsAt, listAt, numberAt, textAt, type Fields } from "@binnacle/kube";
import { words, quoted } from "@binnacle/words";

import { containerSections } from "../detail-parts/container.ts";
import type { Details, DetailInput, Item, Row } from "../detail-parts/details.ts";
import { link, pairsOf, plain, row, scalarText, saying } from "../detail-parts/rows.ts";

/** Where a pod runs, as whom, and its containers. */
export function podDetails({ spec, status, namespace }: DetailInput): Partial<Details> {
  return { facts: podFacts({ spec, status, namespace }), sections: containerSections({ spec, status, namespace }) };
}

function podFacts({ spec, status, namespace }: { readonly spec: Fields; readonly status: Fields; readonly namespace: string }): Row[] {
  const host = textAt(status, "hostIP");
  const note = host === "" ? undefined : words("detail/host-address", { address: host });
  return [
    ...row("detail/node", link({ kind: "Node", name: spec["nodeName"], namespace, note })),
    ...row("detail/addresses", ...addressesOf(status)),
    ...row("detail/qos", plain(status["qosClass"])),
    ...row("detail/service-account", link({ kind: "ServiceAccount", name: spec["serviceAccountName"], namespace })),
    ...row("detail/priority", priorityItem(spec, namespace)),
    ...row("detail/restart-policy", plain(spec["restartPolicy"])),
    ...row("detail/node-selector", ...pairsOf(fieldsAt(spec, "nodeSelector")).map((pair) => plain(pair))),
    ...row("detail/tolerations", ...listAt(spec, "tolerations").map(tolerationItem)),
    ...row("detail/readiness-gates", ...listAt(spec, "readinessGates").map((gate) => plain(textAt(gate, "conditionType")))),
    ...row("detail/scheduling-gates", ...listAt(spec, "schedulingGates").map((gate) => plain(textAt(gate, "name"), "busy"))),
  ];
}

function addressesOf(status: Fields): (Item | undefined)[] {
  const addresses = [textAt(status, "podIP"), ...listAt(status, "podIPs").map((each) => textAt(each, "ip"))];
  return [...new Set(addresses)].map((address) => plain(address));
}

function priorityItem(spec: Fields, namespace: string): Item | undefined {
  const [name, value] = [textAt(spec, "priorityClassName"), numberAt(spec, "priority")];
  if (name === "") return value === undefined || value === 0 ? undefined : plain(value);
  const note = value === undefined ? undefined : words("detail/priority-value", { value: scalarText(value) });
  return link({ group: "scheduling.k8s.io", kind: "PriorityClass", name, namespace, note });
}

/** A taint that is put up with, as kubectl writes it, and for how long. */
function tolerationItem(toleration: unknown): Item {
  const [key, value, effect] = ["key", "value", "effect"].map((name) => textAt(toleration, name));
  const exists = textAt(toleration, "operator") === "Exists";
  if (!key) return effect ? saying("detail/tolerates-all-of", { effect }) : saying("detail/tolerates-all");
  const taint = `${key}${exists ? "" : `=${value ?? ""}`}${effect ? `:${effect}` : ""}`;
  const seconds = numberAt(toleration, "tolerationSeconds");
  return seconds === undefined ? { words: quoted(taint) } : saying("detail/tolerates-for", { taint, seconds });
}
