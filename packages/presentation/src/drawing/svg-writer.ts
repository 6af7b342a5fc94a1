import { tLater } from "../text/messages.ts";
import { nameWidth } from "@binnacle/presentation/text/name-width";
import { shortenMiddle, type MeasureText } from "@binnacle/presentation/text/shorten-middle";
import { scopeLines, type ExportScope } from "../export/export-scope.ts";
import { inTurns } from "../export/in-turns.ts";
import type { ExportedPicture, ExportedCard, LineStyle } from "./exported-picture.ts";
import { LIGHT, STATE_COLOURS, LINE_LOOKS } from "./light-colours.ts";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** What no XML may hold, in whatever form (XML 1.0, "Char"), and halves of a character. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

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

const CARD_PAD = 12;
/** A machine without our font draws with a wider one. */
const SPARE = 0.9;
const NAME_PX = 13;
const SMALL_PX = 10;

const SAMPLE_PX = 34;
const SIGN_PX = 20;
const GAP_PX = 20;
const LEGEND_FONT_PX = 12;

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
  const title = tLater("export/drawing-title", { environment: scope.environment, count: picture.cards.length });
  const head = [
    `<?xml version="1.0" encoding="UTF-8"?>\n`,
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${FONTS}">`,
    `<title>${xmlText(title)}</title><desc>${xmlText(lines.join("\n"))}</desc>`,
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

/** A card, and below it the reason why it is not well. Its text stays text. */
function svgCard(card: ExportedCard, size: Pick<ExportedPicture, "cardWidth" | "cardHeight" | "stripHeight">): string {
  const { cardWidth: width, cardHeight: height, stripHeight } = size;
  const colour = STATE_COLOURS[card.look];
  const fits = (text: string, font: number, room = width - 2 * CARD_PAD): string =>
    xmlText(shortenMiddle(text, room * SPARE, nameWidth(font)));
  const box = `width="${width}" height="${height}" rx="8" fill="${LIGHT.surface}" stroke="${LIGHT.lineStrong}"`;
  const word = fits(card.word, SMALL_PX, width / 2);
  return [
    `<g transform="translate(${card.x} ${card.y})"><title>${xmlText(card.title)}</title>`,
    card.outline === "stacked" ? `<rect x="4" y="4" ${box}/>` : "",
    card.strip === "" ? "" : strip(fits(card.strip, SMALL_PX), { width, height, stripHeight, colour }),
    `<rect ${box}${card.outline === "dashed" ? ' stroke-dasharray="4 3"' : ""}/>`,
    `<rect x="0.5" y="8" width="3" height="${height - 16}" rx="1.5" fill="${colour}"/>`,
    `<g clip-path="url(#card)"><text x="${CARD_PAD}" y="16" font-size="${SMALL_PX}" fill="${LIGHT.ink3}">${fits(card.kind, SMALL_PX, width / 2)}</text>`,
    word === ""
      ? ""
      : `<text x="${width - CARD_PAD}" y="16" font-size="${SMALL_PX}" font-weight="600" text-anchor="end" fill="${colour}">${word}</text>`,
    `<text x="${CARD_PAD}" y="33" font-size="${NAME_PX}" font-weight="600" fill="${LIGHT.ink}">${fits(card.name, NAME_PX)}</text>`,
    `<text x="${CARD_PAD}" y="48" font-size="${SMALL_PX}" fill="${LIGHT.ink2}">${fits(card.fact, SMALL_PX)}</text></g></g>`,
  ].join("");
}

function strip(
  text: string,
  {
    width,
    height,
    stripHeight,
    colour,
  }: { readonly width: number; readonly height: number; readonly stripHeight: number; readonly colour: string },
): string {
  const box = `x="1" y="${height - 8}" width="${width - 2}" height="${stripHeight + 6}" rx="8"`;
  return (
    `<rect ${box} fill="${LIGHT.surface}"/><rect ${box} fill="${colour}" fill-opacity="0.1" stroke="${colour}" stroke-opacity="0.35"/>` +
    `<text x="${CARD_PAD}" y="${height + stripHeight - 9}" font-size="${SMALL_PX}" font-weight="600" fill="${colour}">${text}</text>`
  );
}

/** What the lines mean, each with its sample and number, and the signs that stand on them, in one row. */
function svgLegend({ legend, marks }: Pick<ExportedPicture, "legend" | "marks">): string {
  let x = 0;
  const entry = (sample: string, samplePx: number, words: string): string => {
    const at = x;
    x += samplePx + nameWidth(LEGEND_FONT_PX)(words) + GAP_PX;
    return `<g transform="translate(${at} 0)">${sample}<text x="${samplePx}" y="0" font-size="${LEGEND_FONT_PX}" fill="${LIGHT.ink2}">${xmlText(words)}</text></g>`;
  };
  return [
    ...legend.map(({ style, text, count }) =>
      entry(`<path d="M0 -4H${SAMPLE_PX - 8}"${lineAttributes(style)}/>`, SAMPLE_PX, `${text} (${count})`),
    ),
    ...marks.map(({ text }) => entry(`<g transform="translate(7 -4)">${svgSign(text, marks)}</g>`, SIGN_PX, text)),
  ].join("");
}

/** The sign of a mark, around the origin. */
function svgSign(mark: string, marks: ExportedPicture["marks"]): string {
  const shape = marks.find(({ text }) => text === mark)?.shape ?? "";
  return (
    `<g><title>${xmlText(mark)}</title><circle r="7" fill="${LIGHT.surface}"/>` +
    `<path d="${xmlText(shape)}" fill="none" stroke="${LIGHT.degraded}" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/></g>`
  );
}

/** How a line of a style is drawn. @param idle no traffic takes it */
function lineAttributes(style: LineStyle, idle = false): string {
  const { stroke, width, dashes } = LINE_LOOKS[style];
  const broken = idle ? "8 4" : dashes;
  return [
    ` fill="none" stroke="${stroke}" stroke-width="${width}"`,
    broken === "" ? "" : ` stroke-dasharray="${broken}" stroke-linecap="${style === "uses" || style === "governs" ? "round" : "butt"}"`,
    style === "routes" ? ' marker-end="url(#arrow)"' : "",
  ].join("");
}

/** Any text as text of XML, between tags or in an attribute: it is never markup, and never makes a file that cannot be read. */
export function xmlText(text: string): string {
  return text.replaceAll(NOT_XML, "\uFFFD").replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
