import { maskCredentials } from "@binnacle/health";

/** Longest text of a deployment that a page is sent, in characters. */
const MAX_CHARS = 200;
const MAX_URL_CHARS = 2_000;
/** Text is read no further than this. */
const MAX_READ_CHARS = 2_000;
/** Characters that draw nothing, break a line, or turn the direction of what stands beside them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text of another program as one short line. */
export function lineOf(written: string | null | undefined): string {
  const line = maskCredentials((written ?? "").slice(0, MAX_READ_CHARS))
    .replaceAll(UNSEEN, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length <= MAX_CHARS ? line : `${line.slice(0, MAX_CHARS - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** An address inside the main application, absolute; empty for any other. */
export function linkInto(mainApplicationUrl: string, written: string | null | undefined): string {
  if (written === null || written === undefined || written === "" || written.length > MAX_URL_CHARS) return "";
  const url = URL.parse(written, mainApplicationUrl);
  const isInside = url !== null && /^https?:$/.test(url.protocol) && url.origin === new URL(mainApplicationUrl).origin;
  return isInside && `${url.username}${url.password}` === "" && url.href.length <= MAX_URL_CHARS ? url.href : "";
}
