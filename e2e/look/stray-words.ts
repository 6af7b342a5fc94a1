import type { Page } from "playwright-core";

/** What people see or hear of an element besides its text. */
const ATTRIBUTES = ["alt", "aria-description", "aria-label", "aria-roledescription", "aria-valuetext", "placeholder", "title"];

/**
 * Letters that no language says otherwise: units of time, of bytes and of processors, and times as `ui/format-time.ts` writes them. What is
 * left of a text without these is looked at.
 */
const UNITS = [
  String.raw`\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)(?: \d{4})?\b`,
  String.raw`\b(?:UTC|GMT(?:[+-]\d+)?)\b`,
  String.raw`\d ?(?:ms|s|min|h|d|m|k|M|B|[KMGTPE]i?B?)(?:\/s)?(?![a-z])`,
];

/**
 * Texts of a page in the pseudo-language that did not come through a catalogue, each with where it stands. What stands in ⟦brackets⟧ did;
 * what stands in ⟪these⟫, is marked with `translate="no"`, or is code or a key is not ours: names, and foreign text. A title that
 * repeats what its element says has been looked at there.
 */
export function strayWords(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    ({ attributes, units }) => {
      const SILENT = "script, style, noscript, template";
      const NOT_OURS = "[translate=no], code, kbd";
      const known = new RegExp(units.join("|"), "g");
      const stray: string[] = [];
      const isOurs = (text: string): boolean => /\p{L}/u.test(text.replaceAll(known, ""));
      const whereOf = (element: Element | null): string => {
        const path: string[] = [];
        for (let each = element; each !== null && each !== document.body && path.length < 4; each = each.parentElement) {
          path.unshift(each.id === "" ? `${each.localName}${[...each.classList].map((name) => `.${name}`).join("")}` : `#${each.id}`);
        }
        return path.join(" > ");
      };
      /** What of a text stands outside of brackets, and in how many it ends. */
      const outsideOf = (text: string, depth: number): { readonly outside: string; readonly depth: number } => {
        let outside = "";
        for (const letter of text) {
          if (letter === "⟦" || letter === "⟪") depth += 1;
          else if (letter === "⟧" || letter === "⟫") depth = Math.max(0, depth - 1);
          else if (depth === 0) outside += letter;
        }
        return { outside, depth };
      };
      /** A sentence may go on after an element that stands in it, not beyond its box. */
      const walk = (element: Element, begin: number): number => {
        if (element.matches(SILENT) || element.matches(NOT_OURS)) return begin;
        for (const name of attributes) {
          const text = element.getAttribute(name) ?? "";
          if (text !== "" && element.textContent?.includes(text)) continue;
          if (isOurs(outsideOf(text, 0).outside))
            stray.push(`${name}=${JSON.stringify(element.getAttribute(name))} at ${whereOf(element)}`);
        }
        let depth = begin;
        for (const node of element.childNodes) {
          if (node instanceof Element) {
            const end = walk(node, depth);
            if (getComputedStyle(node).display.startsWith("inline")) depth = end;
          } else if (node.nodeType === Node.TEXT_NODE) {
            const read = outsideOf(node.textContent ?? "", depth);
            if (isOurs(read.outside)) stray.push(`${JSON.stringify(node.textContent)} at ${whereOf(element)}`);
            depth = read.depth;
          }
        }
        return depth;
      };
      walk(document.body, 0);
      if (!/^⟦.*⟧(?: · Binnacle)?$/.test(document.title)) stray.push(`the title of the document: ${document.title}`);
      return [...new Set(stray)];
    },
    { attributes: ATTRIBUTES, units: UNITS },
  );
}
