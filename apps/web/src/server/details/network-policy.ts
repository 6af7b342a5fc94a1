import { fieldsAt, fieldsOf, isFields, listAt, textAt, type Fields } from "@binnacle/kube";
import { quoted, words, type FactValue, type Words, type WordsId } from "@binnacle/words";

import type { Details, DetailInput, Item } from "../detail-parts/details.ts";
import { row, saying, scalarText, selectorText } from "../detail-parts/rows.ts";

/** Most peers and ports of one rule that are named. */
const MAX_NAMED = 12;

interface Direction {
  readonly type: "Ingress" | "Egress";
  readonly rules: "ingress" | "egress";
  readonly peers: "from" | "to";
  readonly none: WordsId;
  readonly all: WordsId;
  readonly some: WordsId;
}

const IN: Direction = {
  type: "Ingress",
  rules: "ingress",
  peers: "from",
  none: "detail/nothing-in",
  all: "detail/all-in",
  some: "detail/some-in",
};
const OUT: Direction = {
  type: "Egress",
  rules: "egress",
  peers: "to",
  none: "detail/nothing-out",
  all: "detail/all-out",
  some: "detail/some-out",
};

/** Which pods it is about, and what may come in and go out. */
export function networkPolicyDetails({ spec }: DetailInput): Partial<Details> {
  const facts = [
    ...row("detail/about-pods", { words: podsWords(fieldsAt(spec, "podSelector")) }),
    ...row("detail/ingress", ...directionItems(spec, IN)),
    ...row("detail/egress", ...directionItems(spec, OUT)),
  ];
  return { facts };
}

function directionItems(spec: Fields, direction: Direction): Item[] {
  if (!isAbout(spec, direction)) return [saying("detail/not-restricted")];
  const rules = listAt(spec, direction.rules);
  return rules.length === 0 ? [saying(direction.none)] : rules.map((rule) => ruleItem(rule, direction));
}

/** As the API server fills it in: always about what comes in, about what goes out when it has rules for it. */
function isAbout(spec: Fields, { type, rules }: Direction): boolean {
  const types = listAt(spec, "policyTypes");
  return types.length > 0 ? types.includes(type) : type === "Ingress" || listAt(spec, rules).length > 0;
}

function ruleItem(rule: unknown, { peers, all, some }: Direction): Item {
  const [named, ports] = [listAt(rule, peers).map(peerWords), listAt(rule, "ports").map(portText)];
  const portList = ports.length === 0 ? undefined : cut(ports);
  return named.length === 0 ? saying(all, { ports: portList }) : saying(some, { peers: cut(named), ports: portList });
}

function cut(list: readonly FactValue[]): readonly FactValue[] {
  return list.length > MAX_NAMED ? [...list.slice(0, MAX_NAMED), "…"] : list;
}

function peerWords(peer: unknown): Words {
  const block = fieldsOf(peer)["ipBlock"];
  if (isFields(block)) {
    const except = listAt(block, "except").map(scalarText);
    return words("detail/peer-addresses", { range: textAt(block, "cidr"), except: except.length === 0 ? undefined : cut(except) });
  }
  const namespaces = fieldsOf(peer)["namespaceSelector"];
  const pods = podsWords(fieldsAt(peer, "podSelector"));
  if (!isFields(namespaces)) return pods;
  const selected = selectorText(namespaces);
  return selected === "" ? words("detail/peer-anywhere", { pods }) : words("detail/peer-namespaces", { pods, selector: selected });
}

function podsWords(selector: Fields): Words {
  const text = selectorText(selector);
  return text === "" ? words("detail/all-pods") : words("detail/pods-with", { selector: text });
}

function portText(value: unknown): Words {
  const port = fieldsOf(value);
  const [from, to] = [scalarText(port["port"]), scalarText(port["endPort"])];
  const protocol = textAt(port, "protocol") || "TCP";
  const ports = to === "" ? from : `${from}–${to}`;
  return quoted([protocol, ports].filter((text) => text !== "").join(" "));
}
