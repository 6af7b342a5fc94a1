/** Nothing of it means anything to Mermaid in a quoted label: what is left can end no label, begin no directive, and be no HTML. */
const HARMLESS = /[^\p{L}\p{M}\p{N} .,:/_()+=*!?·…-]/gu;

/** Any text as part of a quoted label: other signs are written as entities (Mermaid, "Entity codes to escape characters"). */
export function mermaidText(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(HARMLESS, (sign) => `#${sign.codePointAt(0)};`);
}
