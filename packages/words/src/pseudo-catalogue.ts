import type { CompiledCatalogue, CompiledMessage, MessagePart } from "./catalogue.ts";

const PLAIN = "aeiouyncAEIOUYNC";
const ACCENTED = "áéíóúýñçÁÉÍÓÚÝÑÇ";

/**
 * A language for tests: every message stands in ⟦brackets⟧ and has accents, its placeholders stay. A text on the screen without them did not
 * come through a catalogue.
 */
export function pseudoCatalogue(catalogue: CompiledCatalogue): CompiledCatalogue {
  return Object.fromEntries(Object.entries(catalogue).map(([id, message]) => [id, bracketed(accented(message))]));
}

function bracketed(message: CompiledMessage): CompiledMessage {
  return typeof message === "string" ? `⟦${message}⟧` : ["⟦", ...message, "⟧"];
}

function accented(message: CompiledMessage): CompiledMessage {
  return typeof message === "string" ? accentedText(message) : message.map(accentedPart);
}

function accentedPart(part: MessagePart): MessagePart {
  if (typeof part === "string") return accentedText(part);
  if (part.length === 1) return part;
  const [name, kind, options] = part;
  return [name, kind, Object.fromEntries(Object.entries(options).map(([key, option]) => [key, accented(option)]))];
}

function accentedText(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const at = PLAIN.indexOf(letter);
    return at < 0 ? letter : ACCENTED.charAt(at);
  });
}
