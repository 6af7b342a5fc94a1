import { fieldsAt, fieldsOf, listAt, textAt } from "@binnacle/kube";
import { quoted, words, type Words } from "@binnacle/words";

import type { Details, DetailInput, Item, Row } from "../detail-parts/details.ts";
import { link, plain, row, scalarText, section } from "../detail-parts/rows.ts";

/** Where it is reached, which path of which host leads to which Service, and with which certificate. */
export function ingressDetails({ spec, status, namespace }: DetailInput): Partial<Details> {
  const addresses = listAt(fieldsAt(status, "loadBalancer"), "ingress").map((each) =>
    plain(textAt(each, "hostname") || textAt(each, "ip")),
  );
  const ingressClass = link({ group: "networking.k8s.io", kind: "IngressClass", name: spec["ingressClassName"], namespace });
  const facts = [
    ...row("detail/class", ingressClass),
    ...row("detail/external-addresses", ...addresses),
    ...row("detail/default-backend", backendItem(spec["defaultBackend"], namespace)),
  ];
  const rules = listAt(spec, "rules").flatMap((rule) => ruleRows(rule, namespace));
  const tls = listAt(spec, "tls").flatMap((each) => tlsRow(each, namespace));
  return { facts, sections: [...section("detail/rules", { rows: rules }), ...section("detail/tls", { rows: tls })] };
}

function ruleRows(rule: unknown, namespace: string): Row[] {
  const host = textAt(rule, "host");
  return listAt(fieldsAt(rule, "http"), "paths").flatMap((each) => {
    const path = textAt(each, "path") || "/";
    const isExact = textAt(each, "pathType") === "Exact";
    const place: Words = host === "" ? words("detail/all-hosts-at", { path }) : quoted(`${host}${path}`);
    return row(isExact ? words("detail/exactly", { place }) : place, backendItem(fieldsOf(each)["backend"], namespace));
  });
}

function tlsRow(tls: unknown, namespace: string): Row[] {
  const hosts = listAt(tls, "hosts").map(scalarText).join(", ");
  const secret = link({ kind: "Secret", name: fieldsOf(tls)["secretName"], namespace });
  return row(hosts === "" ? words("detail/all-hosts") : quoted(hosts), secret ?? { words: words("detail/default-certificate") });
}

function backendItem(backend: unknown, namespace: string): Item | undefined {
  const service = fieldsAt(backend, "service");
  const port = fieldsAt(service, "port");
  const number = textAt(port, "name") || scalarText(port["number"]);
  const note = number === "" ? undefined : words("detail/at-port", { port: number });
  const other = fieldsAt(backend, "resource");
  return (
    link({ kind: "Service", name: service["name"], namespace, note }) ??
    link({ group: textAt(other, "apiGroup"), kind: textAt(other, "kind"), name: other["name"], namespace })
  );
}
