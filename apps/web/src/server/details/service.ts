import { fieldsAt, fieldsOf, listAt, textAt, type Fields } from "@binnacle/kube";
import { quoted, words } from "@binnacle/words";

import type { Details, DetailInput, Item, Row } from "../detail-parts/details.ts";
import { link, pairsOf, plain, row, saying, scalarText, section } from "../detail-parts/rows.ts";

/** Where it is reached, to which ports that leads, and how many endpoints stand behind it. */
export function serviceDetails({ spec, status, related, namespace }: DetailInput): Partial<Details> {
  const balancers = listAt(fieldsAt(status, "loadBalancer"), "ingress").map((each) =>
    plain(textAt(each, "hostname") || textAt(each, "ip")),
  );
  const type = textAt(spec, "type") || "ClusterIP";
  const facts = [
    ...row("detail/type", plain(type)),
    ...row("detail/cluster-addresses", ...clusterAddresses(spec)),
    ...row("detail/external-name", plain(spec["externalName"])),
    ...row("detail/external-addresses", ...listAt(spec, "externalIPs").map((address) => plain(address)), ...balancers),
    ...row("detail/endpoints", related && endpointsItem(related)),
    ...row("detail/selector", plain(pairsOf(fieldsAt(spec, "selector")).join(","))),
    ...row("detail/affinity", textAt(spec, "sessionAffinity") === "None" ? undefined : plain(spec["sessionAffinity"])),
    ...row("detail/external-traffic", plain(spec["externalTrafficPolicy"])),
  ];
  const ports = listAt(spec, "ports").flatMap(portRow);
  const behind = (related ?? []).flatMap((slice) => listAt(slice, "endpoints").flatMap((each) => endpointRow(each, namespace)));
  return { facts, sections: [...section("detail/ports", { rows: ports }), ...section("detail/endpoints", { rows: behind })] };
}

/** The endpoints of one slice, each with how it is and the pod behind it. */
export function endpointSliceDetails({ object, metadata, namespace }: DetailInput): Partial<Details> {
  const service = fieldsAt(metadata, "labels")["kubernetes.io/service-name"];
  const facts = [
    ...row("detail/service", link({ kind: "Service", name: service, namespace })),
    ...row("detail/address-type", plain(object["addressType"])),
    ...row("detail/endpoints", endpointsItem([object])),
    ...row("detail/ports", ...listAt(object, "ports").map(slicePortItem)),
  ];
  const rows = listAt(object, "endpoints").flatMap((each) => endpointRow(each, namespace));
  return { facts, sections: section("detail/endpoints", { rows }) };
}

function clusterAddresses(spec: Fields): (Item | undefined)[] {
  const addresses = [textAt(spec, "clusterIP"), ...listAt(spec, "clusterIPs").map(scalarText)];
  return [...new Set(addresses)].map((address) => (address === "None" ? saying("detail/headless") : plain(address)));
}

function portRow(value: unknown): Row[] {
  const port = fieldsOf(value);
  const [number, name] = [scalarText(port["port"]), textAt(port, "name")];
  const written = `${number}/${textAt(port, "protocol") || "TCP"}${name === "" ? "" : ` (${name})`}`;
  const target = scalarText(port["targetPort"]) || number;
  const portText = words("detail/target-port", { port: target, node: scalarText(port["nodePort"]) });
  return number === "" ? [] : row(quoted(written), { words: portText });
}

/** Ready ones of all; an endpoint without a word is ready. */
function endpointsItem(slices: readonly Fields[]): Item {
  const endpoints = slices.flatMap((slice) => listAt(slice, "endpoints"));
  const ready = endpoints.filter(isReady).length;
  const tone = ready === 0 ? "bad" : ready < endpoints.length ? "busy" : "good";
  return saying("detail/endpoints-ready", { ready, rest: endpoints.length - ready }, tone);
}

function isReady(endpoint: unknown): boolean {
  return fieldsAt(endpoint, "conditions")["ready"] !== false;
}

function endpointRow(endpoint: unknown, namespace: string): Row[] {
  const conditions = fieldsAt(endpoint, "conditions");
  const target = fieldsAt(endpoint, "targetRef");
  const address = listAt(endpoint, "addresses").map(scalarText).join(", ");
  const state = isReady(endpoint)
    ? saying("detail/endpoint-ready", {}, "good")
    : saying(conditions["terminating"] === true ? "detail/endpoint-leaving" : "detail/endpoint-not-ready", {}, "busy");
  const pod = link({ kind: textAt(target, "kind") || "Pod", name: target["name"], namespace: textAt(target, "namespace") || namespace });
  return address === "" ? [] : row(quoted(address), { ...pod, ...state });
}

function slicePortItem(port: unknown): Item | undefined {
  const number = scalarText(fieldsOf(port)["port"]);
  const name = textAt(port, "name");
  return number === "" ? undefined : plain(`${number}/${textAt(port, "protocol") || "TCP"}${name === "" ? "" : ` (${name})`}`);
}
