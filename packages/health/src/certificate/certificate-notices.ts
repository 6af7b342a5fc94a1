import { ownRoot, type Root, type Subject } from "../why/root.ts";
import { causeOf, keyOfObject } from "../why/root-key.ts";
import { explanationOf, type Explanation } from "../why/explanation.ts";
import { shownTime } from "../shown-time.ts";
import { badCertificateOf } from "./certificate-verdict.ts";
import { coversHost } from "./host-coverage.ts";
import type { KnownCertificate } from "./known-certificate.ts";
import { tlsUsesOf, type TlsUse } from "./tls-uses.ts";
import { soonSince, validityOf } from "./validity.ts";

/** What is to be noticed about the certificates of an Ingress or a Gateway, each thing once, gravest first. */
export function certificateNotices(subject: Subject): Explanation[] {
  const uses = tlsUsesOf(subject.input);
  if (uses.length === 0) return [];
  const reported = isReported(subject) ? badCertificateOf(subject.input)?.certificate : undefined;
  const certificates = new Map(uses.flatMap((use) => use.certificates.map((each) => [`${each.namespace}/${each.secret}`, each])));
  const notices = [...certificates.values()].flatMap((each) => (each === reported ? [] : ofCertificate(each, subject)));
  return [...notices, ...uses.flatMap((use) => ofHosts(use, subject))];
}

/** Why an Ingress or a Gateway is Degraded by its certificate; `null` when it is for something else. */
export function certificateRoot(subject: Subject): Root | null {
  const bad = isReported(subject) ? badCertificateOf(subject.input) : undefined;
  if (bad === undefined) return null;
  const { certificate } = bad;
  const explanation = bad.validity === "expired" ? expired(certificate) : notYetValid(certificate);
  // Fixing this certificate fixes all that serve with it.
  return { ...ownRoot(explanation), key: keyOfObject(secretOf(certificate), causeOf(explanation)) };
}

/** Names of hosts that are served and that no certificate is for. */
function uncoveredHosts({ certificates, hosts, whole }: TlsUse): readonly string[] {
  const known = certificates.every(({ state, namesCut, names = [] }) => state === "known" && namesCut !== true && names.length > 0);
  if (!known || !whole) return [];
  const names = certificates.flatMap((certificate) => certificate.names ?? []);
  return hosts.filter((host) => !coversHost(names, host));
}

function secretOf({ namespace, secret }: KnownCertificate) {
  return { group: "", kind: "Secret", namespace, name: secret };
}

function isReported({ reason, status }: Subject): boolean {
  return status === "Degraded" && (reason === "CertificateExpired" || reason === "CertificateNotYetValid");
}

function ofCertificate(certificate: KnownCertificate, { input, ref }: Subject): Explanation[] {
  const { secret, state, notAfter = "", chainNotAfter = "" } = certificate;
  const facts = { secret, kind: ref.kind, name: ref.name };
  if (state === "wrong-type") return [explanationOf("network", "certificate-wrong-type", facts)];
  if (state === "unreadable") return [explanationOf("network", "certificate-unreadable", facts)];
  switch (validityOf(certificate, input.now)) {
    case "expired":
      return [expired(certificate)];
    case "not-yet-valid":
      return [notYetValid(certificate)];
    case "chain-expired":
      return [
        { ...explanationOf("network", "certificate-chain-expired", { ...facts, time: shownTime(chainNotAfter) }), since: chainNotAfter },
      ];
    case "expires-soon":
      return [
        { ...explanationOf("network", "certificate-expires-soon", { ...facts, time: shownTime(notAfter) }), since: soonSince(certificate) },
      ];
    default:
      return [];
  }
}

function ofHosts(use: TlsUse, { ref }: Subject): Explanation[] {
  const hosts = uncoveredHosts(use);
  const [certificate] = use.certificates;
  if (hosts.length === 0 || certificate === undefined) return [];
  return [
    explanationOf("network", "certificate-host", {
      hosts,
      count: hosts.length,
      secret: certificate.secret,
      kind: ref.kind,
      name: ref.name,
    }),
  ];
}

function expired({ secret, notAfter = "" }: KnownCertificate): Explanation {
  return { ...explanationOf("network", "certificate-expired", { secret, time: shownTime(notAfter) }), since: notAfter };
}

function notYetValid({ secret, notBefore = "" }: KnownCertificate): Explanation {
  return explanationOf("network", "certificate-not-yet-valid", { secret, time: shownTime(notBefore) });
}
