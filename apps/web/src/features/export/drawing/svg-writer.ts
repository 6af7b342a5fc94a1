import { nameWidth } from "../../../ui/name-width.ts";
import { shortenMiddle, type MeasureText } from "../../../ui/shorten-middle.ts";
import { scopeLines, type ExportScope } from "../export-scope.ts";
import { inTurns } from "../in-turns.ts";
import type { ExportedPicture } from "./exported-picture.ts";
import { LIGHT } from "./light-colours.ts";
import { svgCard } from "./svg-card.ts";
import { lineAttributes, svgLegend, svgSign } from "./svg-legend.ts";
import { xmlText } from "./xml-text.ts";

const PAD = 24;
const LEAST_WIDTH = 900;
const TITLE_PX = 20;
const FONT_PX = 12;
const LINE_PX = 18;
/** Between what the file says of itself and the first row of cards: the titles of the columns stand there. */
const TITLES_PX = 34;
const LEGEND_PX = 44;
const FONTS = "Inter, system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** A drawing of the whole graph that needs nothing else: no font, no style and no file, and what it is stands on it. */
export interface Drawing {
  readonly svg: string;
  /** In pixels at 100 %. */
  readonly width: number;
  readonly height: number;
}

/** A drawing that is under way: its cards and lines one by one, and what makes a whole of them. */
interface BegunDrawing {
  readonly parts: readonly (() => string)[];
  readonly finish: (drawn: readonly string[]) => Drawing;
}

/**
 * Draws the graph. Of what a cluster says nothing but text gets into it, and all of that through `xmlText`; paths and numbers are ours.
 *
 * @param turns as `inTurns`: thousands of cards must not freeze the page
 */
export async function drawGraph(picture: ExportedPicture, scope: ExportScope, turns = inTurns): Promise<Drawing> {
  const { parts, finish } = begin(picture, scope);
  const drawn: string[] = [];
  await turns(parts, (part) => drawn.push(part()));
  return finish(drawn);
}

/** The same at once, for paper: a browser that prints does not wait. */
export function drawGraphNow(picture: ExportedPicture, scope: ExportScope): Drawing {
  const { parts, finish } = begin(picture, scope);
  return finish(parts.map((part) => part()));
}

function begin(picture: ExportedPicture, scope: ExportScope): BegunDrawing {
  const bounds = boundsOf(picture);
  const width = Math.ceil(Math.max(LEAST_WIDTH, bounds.right - bounds.left + 2 * PAD));
  const lines = scopeLines(scope).flatMap((line) => wrapText(line, width - 2 * PAD, nameWidth(FONT_PX)));
  const top = PAD + TITLE_PX + 10 + lines.length * LINE_PX + TITLES_PX;
  const height = Math.ceil(top + bounds.bottom - bounds.top + LEGEND_PX + PAD);
  const shift = { x: PAD - bounds.left, y: top - bounds.top };
  const parts = [
    ...picture.lines.map((line) => () => `<path d="${xmlText(line.path)}"${lineAttributes(line.style, line.idle)}/>`),
    ...picture.cards.map((card) => () => svgCard(card, picture)),
    ...picture.lines.flatMap(({ mark, markAt }) =>
      mark === "" ? [] : () => `<g transform="translate(${markAt.x} ${markAt.y})">${svgSign(mark, picture.marks)}</g>`,
    ),
  ];
  const head = [
    `<?xml version="1.0" encoding="UTF-8"?>\n`,
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${FONTS}">`,
    `<title>${xmlText(`${scope.environment}: ${picture.cards.length} cards`)}</title><desc>${xmlText(lines.join("\n"))}</desc>`,
    `<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 .5L7 4 0 7.5z" fill="${LIGHT.edgeStrong}"/></marker>`,
    `<clipPath id="card"><rect width="${picture.cardWidth}" height="${picture.cardHeight}" rx="8"/></clipPath></defs>`,
    `<rect width="${width}" height="${height}" fill="${LIGHT.bg}"/>`,
    `<text x="${PAD}" y="${PAD + TITLE_PX - 4}" font-size="${TITLE_PX}" font-weight="600" fill="${LIGHT.ink}">${xmlText(wrapText(scope.environment, width - 2 * PAD, nameWidth(TITLE_PX))[0] ?? "")}</text>`,
    ...lines.map((line, index) => {
      const y = PAD + TITLE_PX + 10 + (index + 0.7) * LINE_PX;
      return `<text x="${PAD}" y="${y}" font-size="${FONT_PX}" fill="${LIGHT.ink2}">${xmlText(line)}</text>`;
    }),
    ...picture.columns.map(
      ({ text, x }) =>
        `<text x="${x + shift.x}" y="${top - 10}" font-size="11" font-weight="500" fill="${LIGHT.ink3}">${xmlText(text)}</text>`,
    ),
    `<g transform="translate(${shift.x} ${shift.y})">`,
  ];
  const tail = `</g><g data-legend="" transform="translate(${PAD} ${height - PAD})">${svgLegend(picture)}</g></svg>\n`;
  return { parts, finish: (drawn) => ({ svg: [...head, ...drawn, tail].join(""), width, height }) };
}

function boundsOf({ cards, cardWidth, cardHeight, stripHeight }: ExportedPicture) {
  let [left, top, right, bottom] = [0, 0, 0, 0];
  for (const [index, { x, y }] of cards.entries()) {
    left = index === 0 ? x : Math.min(left, x);
    top = index === 0 ? y : Math.min(top, y);
    right = Math.max(right, x + cardWidth);
    bottom = Math.max(bottom, y + cardHeight + stripHeight);
  }
  // Lines run beside the last column.
  return { left, top, right: right + 24, bottom };
}

/** A text in lines that have room: broken between words, and a word that alone is too long is shortened. */
function wrapText(text: string, room: number, measure: MeasureText): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (measure(longer) <= room) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = measure(word) <= room ? word : shortenMiddle(word, room, measure);
  }
  return line === "" ? lines : [...lines, line];
}
