import { nameWidth } from "../../../ui/name-width.ts";
import { shortenMiddle } from "../../../ui/shorten-middle.ts";
import type { ExportedCard, ExportedPicture } from "./exported-picture.ts";
import { LIGHT, STATE_COLOURS } from "./light-colours.ts";
import { xmlText } from "./xml-text.ts";

const PAD = 12;
/** A machine without our font draws with a wider one. */
const SPARE = 0.9;
const NAME_PX = 13;
const SMALL_PX = 10;

/** A card, and below it the reason why it is not well. Its text stays text. */
export function svgCard(card: ExportedCard, size: Pick<ExportedPicture, "cardWidth" | "cardHeight" | "stripHeight">): string {
  const { cardWidth: width, cardHeight: height, stripHeight } = size;
  const colour = STATE_COLOURS[card.look];
  const fits = (text: string, font: number, room = width - 2 * PAD): string => xmlText(shortenMiddle(text, room * SPARE, nameWidth(font)));
  const box = `width="${width}" height="${height}" rx="8" fill="${LIGHT.surface}" stroke="${LIGHT.lineStrong}"`;
  const word = fits(card.word, SMALL_PX, width / 2);
  return [
    `<g transform="translate(${card.x} ${card.y})"><title>${xmlText(card.title)}</title>`,
    card.outline === "stacked" ? `<rect x="4" y="4" ${box}/>` : "",
    card.strip === "" ? "" : strip(fits(card.strip, SMALL_PX), { width, height, stripHeight, colour }),
    `<rect ${box}${card.outline === "dashed" ? ' stroke-dasharray="4 3"' : ""}/>`,
    `<rect x="0.5" y="8" width="3" height="${height - 16}" rx="1.5" fill="${colour}"/>`,
    `<g clip-path="url(#card)"><text x="${PAD}" y="16" font-size="${SMALL_PX}" fill="${LIGHT.ink3}">${fits(card.kind, SMALL_PX, width / 2)}</text>`,
    word === ""
      ? ""
      : `<text x="${width - PAD}" y="16" font-size="${SMALL_PX}" font-weight="600" text-anchor="end" fill="${colour}">${word}</text>`,
    `<text x="${PAD}" y="33" font-size="${NAME_PX}" font-weight="600" fill="${LIGHT.ink}">${fits(card.name, NAME_PX)}</text>`,
    `<text x="${PAD}" y="48" font-size="${SMALL_PX}" fill="${LIGHT.ink2}">${fits(card.fact, SMALL_PX)}</text></g></g>`,
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
    `<text x="${PAD}" y="${height + stripHeight - 9}" font-size="${SMALL_PX}" font-weight="600" fill="${colour}">${text}</text>`
  );
}
