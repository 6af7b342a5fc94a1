import { isFields, type KubeObject } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import { boundedWords } from "../bounded-words.ts";
import { ruleInputOf } from "../rule-input.ts";
import { shownTime } from "../shown-time.ts";
import { knownCertificatesOf, type KnownCertificate } from "./known-certificate.ts";
import { tlsUsesOf } from "./tls-uses.ts";

/** Certificates of one object that are listed. */
const MAX_CERTIFICATES = 20;
/** Names of one certificate that are listed; the others are counted. */
const MAX_NAMES = 10;

/**
 * What is known of each certificate of an Ingress or a Gateway, a sentence each: names and validity, or why nothing is known. Never
 * throws; empty for other kinds.
 */
export function certificateFacts(resource: KubeObject, certificates: readonly KnownCertificate[]): readonly Words[] {
  const object: unknown = resource;
  if (!isFields(object)) return [];
  try {
    const known = knownCertificatesOf(certificates);
    const input = ruleInputOf(object, { now: undefined, related: undefined, certificates: known });
    const used = new Set(tlsUsesOf(input).flatMap((use) => use.certificates));
    return [...used].slice(0, MAX_CERTIFICATES).map((each) => boundedWords(factOf(each)));
  } catch {
    // The rest of the drawer is better than none.
    return [];
  }
}

function factOf(certificate: KnownCertificate): Words {
  const { secret, state } = certificate;
  switch (state) {
    case "known":
      return known(certificate);
    case "unreadable":
      return words("certificate/unreadable", { secret });
    case "wrong-type":
      return words("certificate/wrong-type", { secret });
    case "not-visible":
      return words("certificate/not-visible", { secret });
    case "unread":
      return words("certificate/unread", { secret });
    default:
      return words("certificate/unknown", { secret });
  }
}

function known({ secret, names = [], notAfter = "", by, asOf }: KnownCertificate): Words {
  const facts = {
    secret,
    names: names.slice(0, MAX_NAMES),
    more: names.length > MAX_NAMES ? names.length - MAX_NAMES : undefined,
    time: shownTime(notAfter),
  };
  if (by !== undefined) return words("certificate/known-by", { ...facts, by });
  return words("certificate/known", { ...facts, as: asOf === undefined ? undefined : shownTime(asOf) });
}
