import type { MeasureText } from "./shorten-middle.ts";

/** Hundredths of the font's size that a character of Inter takes at weight 600, rounded up: what is drawn lighter takes less. */
const WIDTHS = new Map(
  Object.entries({
    28: "ijlI ",
    32: ".,·",
    36: "t",
    40: "fr/()",
    47: "1-:_",
    60: "acekstvxyz7FJL",
    64: "bdghnopqu235689E",
    67: "04BPRSZT",
    77: "ACDGHKNOQUVXY",
    97: "mwM…",
  }).flatMap(([width, chars]) => Array.from(chars, (char) => [char, Number(width)] as const)),
);
/** Whatever else there is, in any font that has it. */
const WIDEST = 130;

const measures = new Map<number, MeasureText>();

/**
 * How many pixels a name takes in Inter, at most. Computed, not measured by the browser: the server computes the same, and thousands of rows may ask.
 *
 * @param fontPx size of the font
 */
export function nameWidth(fontPx: number): MeasureText {
  const measure = measures.get(fontPx) ?? ((text) => (widthOf(text) * fontPx) / 100);
  measures.set(fontPx, measure);
  return measure;
}

/** How many pixels a text takes in the font of code, 12 px high. */
export const codeWidth: MeasureText = (text) => text.length * 7.25;

function widthOf(text: string): number {
  let width = 0;
  for (const char of text) width += WIDTHS.get(char) ?? WIDEST;
  return width;
}
