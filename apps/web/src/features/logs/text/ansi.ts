import { COLOUR_SEQUENCE, mayHaveColours } from "@binnacle/pod-logs/filter";

/** Look of a part of a line, as SGR sets it (ECMA-48 8.3.117); colours are the eight of terminals. */
export interface TextStyle {
  readonly colour?: TextColour;
  readonly isBold?: boolean;
  readonly isFaint?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
  readonly isStruck?: boolean;
}

/** Colours of terminals, in their order. */
export const TEXT_COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

/** A colour of terminals; a theme decides what it is (log-row.module.css). */
type TextColour = (typeof TEXT_COLOURS)[number];

/** A part of a line that looks the same. */
export interface StyledText {
  readonly text: string;
  readonly style: TextStyle;
}

/** A line without what sets its looks. */
export interface PlainLine {
  readonly text: string;
  /** Where another look begins, in the order of the text; absent: all of it is plain. */
  readonly styles?: readonly { readonly from: number; readonly style: TextStyle }[];
}

const PLAIN: TextStyle = {};

/** Takes the sequences that set looks out of a line, the only ones that are followed: others are shown as what they are. */
export function plainLine(text: string): PlainLine {
  if (!mayHaveColours(text)) return { text };
  const styles: { from: number; style: TextStyle }[] = [];
  let plain = "";
  let last = 0;
  let style = PLAIN;
  for (const match of text.matchAll(COLOUR_SEQUENCE)) {
    plain += text.slice(last, match.index);
    last = match.index + match[0].length;
    style = styleAfter(style, match[1] ?? "");
    styles.push({ from: plain.length, style });
  }
  return { text: plain + text.slice(last), styles };
}

/** A part of a plain line, cut where its look changes. @param from characters from its start @param to likewise, not included */
export function styledParts({ text, styles = [] }: PlainLine, from: number, to: number): StyledText[] {
  const parts: StyledText[] = [];
  let [at, style] = [from, PLAIN];
  for (const next of styles) {
    if (next.from >= to) break;
    if (next.from > at) {
      parts.push({ text: text.slice(at, next.from), style });
      at = next.from;
    }
    style = next.style;
  }
  if (at < to) parts.push({ text: text.slice(at, to), style });
  return parts;
}

/** Parameters of one sequence, applied to what holds before it. */
function styleAfter(before: TextStyle, parameters: string): TextStyle {
  let style = before;
  const codes = parameters.split(/[;:]/).map(Number);
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      const [colour, used] = extendedColour(codes, index + 1);
      if (code === 38 && colour !== undefined) style = { ...style, colour };
      index += used;
    } else {
      style = withCode(style, code);
    }
  }
  return style;
}

function withCode(style: TextStyle, code: number): TextStyle {
  switch (code) {
    case 0:
      return PLAIN;
    case 1:
      return { ...style, isBold: true };
    case 2:
      return { ...style, isFaint: true };
    case 3:
      return { ...style, isItalic: true };
    case 4:
      return { ...style, isUnderlined: true };
    case 9:
      return { ...style, isStruck: true };
    case 22:
      return { ...style, isBold: false, isFaint: false };
    case 23:
      return { ...style, isItalic: false };
    case 24:
      return { ...style, isUnderlined: false };
    case 29:
      return { ...style, isStruck: false };
    case 39: {
      const { colour: _, ...rest } = style;
      return rest;
    }
    default: {
      const colour = code >= 30 && code <= 37 ? TEXT_COLOURS[code - 30] : code >= 90 && code <= 97 ? TEXT_COLOURS[code - 90] : undefined;
      return colour === undefined ? style : { ...style, colour };
    }
  }
}

/** Colours of 256 and of 24 bits become the nearest of the eight, which every theme shows legibly. @returns with how many codes it took */
function extendedColour(codes: readonly number[], at: number): readonly [TextColour | undefined, number] {
  const [kind, ...values] = codes.slice(at, at + 4);
  if (kind === 2) return [nearest(values[0] ?? 0, values[1] ?? 0, values[2] ?? 0), 4];
  if (kind !== 5) return [undefined, 0];
  const number = values[0] ?? 0;
  if (number < 16) return [TEXT_COLOURS[number % 8], 2];
  if (number >= 232) return ["white", 2];
  const cube = number - 16;
  return [nearest(Math.floor(cube / 36) * 51, (Math.floor(cube / 6) % 6) * 51, (cube % 6) * 51), 2];
}

function nearest(red: number, green: number, blue: number): TextColour | undefined {
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  if (most - least < 48) return "white";
  const middle = (least + most) / 2;
  return TEXT_COLOURS[(red > middle ? 1 : 0) + (green > middle ? 2 : 0) + (blue > middle ? 4 : 0)];
}
