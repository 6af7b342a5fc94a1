import { X509Certificate } from "node:crypto";

import { fieldsAt, textAt, type KubeObject } from "@binnacle/kube";

import type { CertificateReading } from "./certificate-reading.ts";

const BEGIN = "-----BEGIN CERTIFICATE-----";
const END = "-----END CERTIFICATE-----";
/** Certificates of a chain that are looked at: real ones have two to four. */
const MAX_CHAIN = 10;
/** Characters of one in PEM: real ones have two or three thousand. */
const MAX_PEM_CHARS = 64 * 1024;

const MAX_NAMES = 100;
const MAX_NAME_CHARS = 253;
/** Letters of DNS names and addresses: what has others is no name of a host, and nothing to be shown. */
const NAME = /^[a-z0-9*._:-]+$/i;

/** Names of hosts among the alternative names of a certificate, in lower case, and whether there are more. */
interface SubjectNames {
  readonly names: readonly string[];
  readonly namesCut: boolean;
}

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
  while (found.length < MAX_CHAIN) {
    const begin = pem.indexOf(BEGIN, at);
    const end = begin < 0 ? -1 : pem.indexOf(END, begin);
    if (end < 0 || end - begin > MAX_PEM_CHARS) break;
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

/**
 * Reads alternative names as `X509Certificate` of Node writes them, "DNS:a.example, IP Address:10.0.0.1"; a name with a comma or the
 * like is quoted as in JSON, so that none can pass for two. The common name is no name of a host (RFC 9525 §2).
 */
export function namesOf(subjectAltName: string): SubjectNames {
  const names = new Set<string>();
  for (const entry of entriesOf(subjectAltName)) {
    const name = hostOf(entry);
    if (name === undefined || names.has(name)) continue;
    if (names.size === MAX_NAMES) return { names: [...names], namesCut: true };
    names.add(name);
  }
  return { names: [...names], namesCut: false };
}

function hostOf(entry: string): string | undefined {
  const name = ["DNS:", "IP Address:"].flatMap((prefix) => (entry.startsWith(prefix) ? entry.slice(prefix.length) : []))[0];
  return name !== undefined && name.length <= MAX_NAME_CHARS && NAME.test(name) ? name.toLowerCase() : undefined;
}

/** Parts between commas that stand outside of quotes. */
function* entriesOf(text: string): Generator<string> {
  let start = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (quoted && char === "\\") index += 1;
    else if (char === '"') quoted = !quoted;
    else if (char === "," && !quoted) {
      yield text.slice(start, index).trim();
      start = index + 1;
    }
  }
  yield text.slice(start).trim();
}
