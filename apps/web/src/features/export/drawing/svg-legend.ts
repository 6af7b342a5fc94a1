import { nameWidth } from "../../../ui/name-width.ts";
import type { LegendEntry, LineStyle } from "./exported-picture.ts";
import { LIGHT, LINE_LOOKS } from "./light-colours.ts";
import { xmlText } from "./xml-text.ts";

const SAMPLE_PX = 34;
const GAP_PX = 20;
const FONT_PX = 12;

/** What the lines mean, each with its sample and number, in one row. */
export function svgLegend(legend: readonly LegendEntry[]): string {
  let x = 0;
  const entries = legend.map(({ style, text, count }) => {
    const words = `${text} (${count})`;
    const entry =
      `<g transform="translate(${x} 0)"><path d="M0 -4H${SAMPLE_PX - 8}"${lineAttributes(style)}/>` +
      `<text x="${SAMPLE_PX}" y="0" font-size="${FONT_PX}" fill="${LIGHT.ink2}">${xmlText(words)}</text></g>`;
    x += SAMPLE_PX + nameWidth(FONT_PX)(words) + GAP_PX;
    return entry;
  });
  return entries.join("");
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
