import { Fault } from "@binnacle/rpc";

/** A value as bytes of a header: text beyond ASCII travels as UTF-8. @throws Fault `invalid_request` for a control character */
export function headerValue(name: string, value: string): string {
  if (PLAIN.test(value)) return value;
  if (hasControlCharacter(value.replaceAll("\t", " ")))
    throw new Fault("invalid_request", `the value of header ${name} holds a control character`);
  return Buffer.from(value, "utf8").toString("latin1");
}

const PLAIN = /^[\t\x20-\x7e]*$/;

/** NUL, CR, LF and their like: they would end a request line. */
function hasControlCharacter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}
