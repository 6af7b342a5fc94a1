import { textAt } from "@binnacle/kube";

import { MAX_TIME_CHARS } from "../bounded-text.ts";
import { headOf, maskCredentials } from "../mask-credentials.ts";

/** Longest sentence of a tool that is shown, in characters. */
const MAX_SENTENCE_CHARS = 500;
/** Longest name, path, address or revision that is shown, in characters. */
const MAX_NAME_CHARS = 300;
/** No text is read further than this. */
const MAX_READ_CHARS = 8_192;
/** Characters that draw nothing, break a line, or turn the direction of what stands beside them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A sentence of a tool as one line. */
export function sentenceLine(parent: unknown, name: string): string {
  return line(textAt(parent, name), MAX_SENTENCE_CHARS);
}

/** A name, path or revision as one line. */
export function nameLine(parent: unknown, name: string): string {
  return line(textAt(parent, name), MAX_NAME_CHARS);
}

/** A time as written when it is one; else empty. */
export function timeLine(parent: unknown, name: string): string {
  const written = textAt(parent, name);
  return written.length <= MAX_TIME_CHARS && !Number.isNaN(Date.parse(written)) ? written : "";
}

/** An address without who signs in there, and without what stands behind a question mark: both may be a credential. */
export function addressLine(parent: unknown, name: string): string {
  const written = textAt(parent, name).slice(0, MAX_READ_CHARS);
  const [, scheme = "", user = "", rest = ""] = /^([a-z][a-z0-9+.-]*:\/\/)(?:([^/?#]*)@)?([^?#]*)/i.exec(written) ?? ["", "", "", written];
  // Everybody is called so at a git server.
  return maskedLine(`${scheme}${user === "git" ? "git@" : ""}${rest}`, MAX_NAME_CHARS);
}

function line(text: string, max: number): string {
  return maskedLine(headOf(text, MAX_READ_CHARS), max);
}

function maskedLine(text: string, max: number): string {
  const shown = maskCredentials(text.replaceAll(UNSEEN, " ").replaceAll(/\s+/g, " ").trim(), max);
  return shown.replace(/[\uD800-\uDBFF]…$/, "…");
}
