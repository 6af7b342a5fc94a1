import { nameWidth } from "../../../ui/name-width.ts";
import type { ExportedPicture, LineStyle } from "./exported-picture.ts";
import { LIGHT, LINE_LOOKS } from "./light-colours.ts";
import { xmlText } from "./xml-text.ts";

const SAMPLE_PX = 34;
const SIGN_PX = 20;
const GAP_PX = 20;
const FONT_PX = 12;

/** What the lines mean, each with its sample and number, and the signs that stand on them, in one row. */
export function svgLegend({ legend, marks }: Pick<ExportedPicture, "legend" | "marks">): string {
  let x = 0;
  const entry = (sample: string, samplePx: number, words: string): string => {
    const at = x;
    x += samplePx + nameWidth(FONT_PX)(words) + GAP_PX;
    return `<g transform="translate(${at} 0)">${sample}<text x="${samplePx}" y="0" font-size="${FONT_PX}" fill="${LIGHT.ink2}">${xmlText(words)}</text></g>`;
  };
  return [
    ...legend.map(({ style, text, count }) =>
      entry(`<path d="M0 -4H${SAMPLE_PX - 8}"${lineAttributes(style)}/>`, SAMPLE_PX, `${text} (${count})`),
    ),
    ...marks.map(({ text }) => entry(`<g transform="translate(7 -4)">${svgSign(text, marks)}</g>`, SIGN_PX, text)),
  ].join("");
}

/** The sign of a mark, around the origin. */
export function svgSign(mark: string, marks: ExportedPicture["marks"]): string {
  const shape = marks.find(({ text }) => text === mark)?.shape ?? "";
  return (
    `<g><title>${xmlText(mark)}</title><circle r="7" fill="${LIGHT.surface}"/>` +
    `<path d="${xmlText(shape)}" fill="none" stroke="${LIGHT.degraded}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/></g>`
  );
}

/** How a line of a style is drawn. @param idle no traffic takes it */
export function lineAttributes(style: LineStyle, idle = false): string {
  const { stroke, width, dashes } = LINE_LOOKS[style];
  const broken = idle ? "8 4" : dashes;
  return [
    ` fill="none" stroke="${stroke}" stroke-width="${width}"`,
    broken === "" ? "" : ` stroke-dasharray="${broken}" stroke-linecap="${style === "uses" || style === "governs" ? "round" : "butt"}"`,
    style === "routes" ? ' marker-end="url(#arrow)"' : "",
  ].join("");
}
