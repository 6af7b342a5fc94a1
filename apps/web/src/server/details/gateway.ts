import { fieldsAt, fieldsOf, listAt, numberAt, textAt } from "@binnacle/kube";
import { quoted, words, type Words } from "@binnacle/words";

import type { Details, DetailInput, Item, Row } from "../detail-parts/details.ts";
import { link, plain, row, saying, scalarText, section } from "../detail-parts/rows.ts";

const GROUP = "gateway.networking.k8s.io";

/** Its class, its addresses, and what listens where. */
export function gatewayDetails({ spec, status, namespace }: DetailInput): Partial<Details> {
  const routes = new Map(listAt(status, "listeners").map((each) => [textAt(each, "name"), numberAt(each, "attachedRoutes") ?? 0]));
  const facts = [
    ...row("detail/class", link({ group: GROUP, kind: "GatewayClass", name: spec["gatewayClassName"], namespace })),
    ...row("detail/external-addresses", ...listAt(status, "addresses").map((each) => plain(textAt(each, "value")))),
  ];
  const rows = listAt(spec, "listeners").flatMap((each) => {
    const name = textAt(each, "name");
    const place = `${textAt(each, "protocol")} ${scalarText(fieldsOf(each)["port"])} ${textAt(each, "hostname") || "*"}`;
    const secrets = listAt(fieldsAt(each, "tls"), "certificateRefs").map((ref) =>
      link({ kind: "Secret", name: fieldsOf(ref)["name"], namespace: textAt(ref, "namespace") || namespace }),
    );
    return row(quoted(name), plain(place), saying("detail/attached-routes", { count: routes.get(name) ?? 0 }), ...secrets);
  });
  return { facts, sections: section("detail/listeners", { rows }) };
}

/** The Gateways that it hangs on, its hosts, and which requests it sends where. */
export function routeDetails({ spec, namespace }: DetailInput): Partial<Details> {
  const parents = listAt(spec, "parentRefs").map((each) => {
    const part = textAt(each, "sectionName");
    const note = part === "" ? undefined : words("detail/listener", { name: part });
    const where = textAt(each, "namespace") || namespace;
    return link({
      group: textAt(each, "group") || GROUP,
      kind: textAt(each, "kind") || "Gateway",
      name: fieldsOf(each)["name"],
      namespace: where,
      note,
    });
  });
  const facts = [...row("detail/gateways", ...parents), ...row("detail/hosts", ...listAt(spec, "hostnames").map((host) => plain(host)))];
  return { facts, sections: section("detail/rules", { rows: listAt(spec, "rules").flatMap((rule) => ruleRow(rule, namespace)) }) };
}

function ruleRow(rule: unknown, namespace: string): Row[] {
  const matches = listAt(rule, "matches")
    .map(matchText)
    .filter((text) => text !== "");
  const label: Words = matches.length === 0 ? words("detail/every-request") : quoted(matches.join(", "));
  const backends = listAt(rule, "backendRefs").map((each) => backendItem(each, namespace));
  const filters = listAt(rule, "filters").map((each) => plain(textAt(each, "type")));
  return row(label, ...backends, ...filters);
}

function matchText(match: unknown): string {
  const path = fieldsAt(match, "path");
  const call = fieldsAt(match, "method");
  const method = textAt(match, "method") || [textAt(call, "service"), textAt(call, "method")].filter((each) => each !== "").join("/");
  return [method, textAt(path, "value")].filter((each) => each !== "").join(" ");
}

function backendItem(backend: unknown, namespace: string): Item | undefined {
  const port = scalarText(fieldsOf(backend)["port"]);
  const weight = numberAt(backend, "weight");
  const note = port === "" ? undefined : words("detail/at-port", { port, weight });
  const where = textAt(backend, "namespace") || namespace;
  return link({
    group: textAt(backend, "group"),
    kind: textAt(backend, "kind") || "Service",
    name: fieldsOf(backend)["name"],
    namespace: where,
    note,
  });
}
