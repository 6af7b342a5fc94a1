const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** What no XML may hold, in whatever form (XML 1.0, "Char"), and halves of a character. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Any text as text of XML, between tags or in an attribute: it is never markup, and never makes a file that cannot be read. */
export function xmlText(text: string): string {
  return text.replaceAll(NOT_XML, "\uFFFD").replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
