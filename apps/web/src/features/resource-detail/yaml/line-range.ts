/** Lines of a text, from 1, both inclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** The lines that an address names, "12" or "12-20"; `undefined` for none, and where the text has not so many. */
export function lineRange(text: string, total: number): LineRange | undefined {
  const match = /^(\d+)(?:-(\d+))?$/.exec(text);
  if (match === null) return undefined;
  const [one, other] = [Number(match[1]), Number(match[2] ?? match[1])];
  const [from, to] = [Math.min(one, other), Math.min(Math.max(one, other), total)];
  return from < 1 || from > total ? undefined : { from, to };
}

/** The lines as an address names them. */
function writtenRange({ from, to }: LineRange): string {
  return from === to ? String(from) : `${from}-${to}`;
}

/** The lines that an address names after a click on a line: that line, none if it was selected, or all from the current one to it. */
export function clickedRange(range: LineRange | undefined, line: number, how: { readonly extends: boolean }): string {
  if (how.extends && range !== undefined) return writtenRange({ from: Math.min(range.from, line), to: Math.max(range.from, line) });
  return range?.from === line && range.to === line ? "" : String(line);
}

/** A text in three: what is before the lines, the lines, what is after them, without the breaks between; what is empty is left out. */
export function partsAround(text: string, first: number, range: LineRange | undefined): readonly LinePart[] {
  const lines = text.split("\n");
  const last = first + lines.length - 1;
  if (range === undefined || range.to < first || range.from > last) return [{ text, offset: 0, line: first, isMarked: false }];
  const cuts = [first, Math.max(first, range.from), Math.min(last, range.to) + 1, last + 1];
  let offset = 0;
  return cuts.slice(1).flatMap((end, index) => {
    const from = cuts[index] ?? first;
    if (end <= from) return [];
    const part = { text: lines.slice(from - first, end - first).join("\n"), offset, line: from, isMarked: index === 1 };
    offset += part.text.length + 1;
    return [part];
  });
}

/** A part of a text: its lines, and where it begins. */
export interface LinePart {
  readonly text: string;
  /** Characters from the start of the whole. */
  readonly offset: number;
  readonly line: number;
  readonly isMarked: boolean;
}
