import { DAY_MS, timeOf, writtenTime } from "../age.ts";
import type { KnownCertificate } from "./known-certificate.ts";

/** How a certificate stands in time. */
export type Validity = "valid" | "expires-soon" | "expired" | "not-yet-valid" | "chain-expired" | "unknown";

/** What is renewed by itself is by then: cert-manager and ACME clients renew a certificate of 90 days 30 days before it ends. */
const SOON_MS = 14 * DAY_MS;

/**
 * How a certificate stands at a moment. Of one that lives shortly the last sixth is soon: it is renewed every few days.
 *
 * @param now milliseconds since the epoch; `undefined` = not known
 */
export function validityOf(
  { state, notBefore = "", notAfter = "", chainNotAfter = "" }: KnownCertificate,
  now: number | undefined,
): Validity {
  const [begin, end, chainEnd] = [timeOf(notBefore), timeOf(notAfter), timeOf(chainNotAfter)];
  if (state !== "known" || now === undefined || Number.isNaN(end)) return "unknown";
  if (now > end) return "expired";
  if (now < begin) return "not-yet-valid";
  if (now > chainEnd) return "chain-expired";
  return end - now < soonMs(begin, end) ? "expires-soon" : "valid";
}

/** When it began to expire soon; empty where its end is no time. */
export function soonSince({ notBefore = "", notAfter = "" }: KnownCertificate): string {
  const end = timeOf(notAfter);
  return writtenTime(end - soonMs(timeOf(notBefore), end));
}

function soonMs(begin: number, end: number): number {
  return Number.isNaN(begin) ? SOON_MS : Math.min(SOON_MS, (end - begin) / 6);
}
