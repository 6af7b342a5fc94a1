import { X509Certificate } from "node:crypto";

import { fieldsAt, textAt, type KubeObject } from "@binnacle/kube";

import type { CertificateReading } from "./certificate-reading.ts";
import { namesOf } from "./subject-names.ts";

const BEGIN = "-----BEGIN CERTIFICATE-----";
const END = "-----END CERTIFICATE-----";
/** Certificates of a chain that are looked at: real ones have two to four. */
const MOST_CHAIN = 10;
/** Characters of one in PEM: real ones have two or three thousand. */
const MOST_PEM_CHARS = 64 * 1024;

/**
 * Names and validity of the certificate in a Secret. All else of the Secret, its private key above all, stays with the caller, who drops
 * it. Never throws, whatever the Secret holds: what the parser says of it could quote it.
 */
export function readCertificate(secret: KubeObject): CertificateReading {
  if (textAt(secret, "type") !== "kubernetes.io/tls") return { state: "wrong-type" };
  const [leaf, ...chain] = certificatesIn(Buffer.from(textAt(fieldsAt(secret, "data"), "tls.crt"), "base64").toString("latin1"));
  if (leaf === undefined) return { state: "unreadable" };
  const { names, namesCut } = namesOf(leaf.subjectAltName ?? "");
  const [notBefore, notAfter] = [timeText(leaf.validFromDate), timeText(leaf.validToDate)];
  if (notBefore === undefined || notAfter === undefined) return { state: "unreadable" };
  const ends = chain.flatMap(({ validToDate }) => timeText(validToDate) ?? []).toSorted();
  return {
    state: "known",
    names,
    ...(namesCut ? { namesCut } : {}),
    notBefore,
    notAfter,
    ...(ends[0] === undefined ? {} : { chainNotAfter: ends[0] }),
  };
}

/** The certificates of a text in PEM, up to the first that is none. */
function certificatesIn(pem: string): X509Certificate[] {
  const found: X509Certificate[] = [];
  let at = 0;
  while (found.length < MOST_CHAIN) {
    const begin = pem.indexOf(BEGIN, at);
    const end = begin < 0 ? -1 : pem.indexOf(END, begin);
    if (end < 0 || end - begin > MOST_PEM_CHARS) break;
    at = end + END.length;
    const certificate = parsed(pem.slice(begin, at));
    if (certificate === undefined) break;
    found.push(certificate);
  }
  return found;
}

function parsed(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function timeText(date: Date): string | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
