import { nanosText } from "@binnacle/kube";

export const NANOS_PER_SECOND = 1_000_000_000n;
const NANOS_PER_MS = 1_000_000n;
/** "2006-01-02T15:04:05". */
const SECOND_CHARS = 19;
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/** Reads times of RFC 3339 with up to nine digits; those of one log mostly share their second, which is read once. */
export class LogTimes {
  #second = "";
  #secondNanos: bigint | undefined;

  /** Nanoseconds since 1970; `undefined` for a text that is no time. */
  parse(text: string): bigint | undefined {
    if (text.length === SECOND_CHARS + 11 && text.endsWith("Z") && text.startsWith(this.#second) && this.#secondNanos !== undefined) {
      const fraction = fractionOf(text);
      if (fraction !== undefined) return this.#secondNanos + BigInt(fraction);
    }
    const match = TIME.exec(text);
    if (match === null) return undefined;
    const [, second = "", fraction = "", zone = ""] = match;
    const ms = Date.parse(`${second}${zone}`);
    if (!Number.isFinite(ms) || ms < 0) return undefined;
    const nanos = BigInt(ms) * NANOS_PER_MS;
    if (zone === "Z") [this.#second, this.#secondNanos] = [second, nanos];
    return nanos + BigInt(fraction.padEnd(9, "0"));
  }
}

/** Nanoseconds of a time with nine digits for them, read without a text of their own. */
function fractionOf(text: string): number | undefined {
  if (text.charCodeAt(SECOND_CHARS) !== 0x2e) return undefined;
  let fraction = 0;
  for (let at = SECOND_CHARS + 1; at < SECOND_CHARS + 10; at += 1) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    fraction = fraction * 10 + digit;
  }
  return fraction;
}

/** The second of a time, as the API server reads `sinceTime`: it drops what is below. */
export function secondText(nanos: bigint): string {
  return `${nanosText(nanos < 0n ? 0n : nanos).slice(0, SECOND_CHARS)}Z`;
}
