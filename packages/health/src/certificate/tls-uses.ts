import { fieldsAt, listAt, textAt, textOf } from "@binnacle/kube";

import type { RuleInput } from "../verdict.ts";
import { normalHost } from "./host-coverage.ts";
import type { KnownCertificate } from "./known-certificate.ts";

/** Hosts that are served with one of some certificates. */
export interface TlsUse {
  readonly hosts: readonly string[];
  /** The certificates that are known; missing Secrets are reported elsewhere. */
  readonly certificates: readonly KnownCertificate[];
  /** All that are named are among `certificates`. */
  readonly whole: boolean;
}

/** Entries or listeners of one object that are looked at; the Gateway API allows 64 listeners. */
const MAX_USES = 100;
const MAX_HOSTS = 200;

/** Where an Ingress or a Gateway serves TLS, and with what; empty for other kinds and where nothing is known of certificates. */
export function tlsUsesOf(input: RuleInput): readonly TlsUse[] {
  if (input.certificates === undefined || input.certificates.length === 0) return [];
  if (isIngress(input)) return ingressUses(input);
  return input.group === "gateway.networking.k8s.io" && input.kind === "Gateway" ? gatewayUses(input) : [];
}

function isIngress({ group, kind }: RuleInput): boolean {
  return kind === "Ingress" && (group === "networking.k8s.io" || group === "extensions");
}

function ingressUses(input: RuleInput): TlsUse[] {
  const entries = listAt(input.spec, "tls").slice(0, MAX_USES);
  const named = new Set(entries.flatMap((entry) => hostsAt(entry)).map(normalHost));
  const rules = listAt(input.spec, "rules").map((rule) => textAt(rule, "host"));
  // An entry without hosts is for all that no other entry names.
  const others = rules.filter((host) => host !== "" && !named.has(normalHost(host))).slice(0, MAX_HOSTS);
  const namespace = textAt(input.metadata, "namespace");
  return entries.flatMap((entry) => {
    const name = textAt(entry, "secretName");
    if (name === "") return [];
    const hosts = hostsAt(entry);
    return use(input, hosts.length === 0 ? others : hosts, [{ namespace, name }]);
  });
}

function gatewayUses(input: RuleInput): TlsUse[] {
  const own = textAt(input.metadata, "namespace");
  return listAt(input.spec, "listeners")
    .slice(0, MAX_USES)
    .flatMap((listener) => {
      const references = listAt(fieldsAt(listener, "tls"), "certificateRefs").slice(0, MAX_USES);
      const names = references.flatMap((reference) => {
        const [name, namespace] = [textAt(reference, "name"), textAt(reference, "namespace") || own];
        return name === "" ? [] : [{ name, namespace }];
      });
      const host = textAt(listener, "hostname");
      return use(input, host === "" ? [] : [host], names);
    });
}

function hostsAt(entry: unknown): string[] {
  return listAt(entry, "hosts").slice(0, MAX_HOSTS).map(textOf).filter(Boolean);
}

function use({ certificates = [] }: RuleInput, hosts: readonly string[], named: readonly { namespace: string; name: string }[]): TlsUse[] {
  const found = named.flatMap(({ namespace, name }) =>
    certificates.filter((certificate) => certificate.namespace === namespace && certificate.secret === name).slice(0, 1),
  );
  return found.length === 0 ? [] : [{ hosts, certificates: found, whole: found.length === named.length }];
}
