import { words } from "@binnacle/words";

import { shownTime } from "../shown-time.ts";
import { degraded, type RuleInput, type Verdict } from "../verdict.ts";
import type { KnownCertificate } from "./known-certificate.ts";
import { tlsUsesOf, type TlsUse } from "./tls-uses.ts";
import { validityOf } from "./validity.ts";

/** The certificate that no client accepts, and why. */
export interface BadCertificate {
  readonly certificate: KnownCertificate;
  readonly validity: "expired" | "not-yet-valid";
}

/**
 * Where hosts are served with nothing but certificates out of their time: no client accepts that, so it is broken whatever the
 * controller says (docs/design/certificates.md). A worse or equal word of the rule stands.
 */
export function withCertificates(input: RuleInput, verdict: Verdict | null): Verdict | null {
  if (verdict?.status === "Degraded" || verdict?.status === "Suspended") return verdict;
  const bad = badCertificateOf(input);
  if (bad === undefined) return verdict;
  const { secret, notAfter = "", notBefore = "" } = bad.certificate;
  if (bad.validity === "expired") {
    return degraded("CertificateExpired", words("network/certificate-expired", { secret, time: shownTime(notAfter) }), notAfter);
  }
  return degraded("CertificateNotYetValid", words("network/certificate-not-yet-valid", { secret, time: shownTime(notBefore) }));
}

/** The first certificate that makes hosts unreachable; `undefined` = none that is known. */
export function badCertificateOf(input: RuleInput): BadCertificate | undefined {
  for (const use of tlsUsesOf(input)) {
    const bad = badOf(use, input.now);
    if (bad !== undefined) return bad;
  }
  return undefined;
}

/** One good certificate of a listener is enough; with one that is not known there is no verdict. */
function badOf({ certificates, whole }: TlsUse, now: number | undefined): BadCertificate | undefined {
  let first: BadCertificate | undefined;
  for (const certificate of certificates) {
    const validity = validityOf(certificate, now);
    if (validity !== "expired" && validity !== "not-yet-valid") return undefined;
    first ??= { certificate, validity };
  }
  return whole ? first : undefined;
}
