import { shortenMiddle, type MeasureText } from "../../../ui/shorten-middle.ts";

/** A text in lines that have room: broken between words, and a word that alone is too long is shortened. */
export function wrapText(text: string, room: number, measure: MeasureText): readonly string[] {
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
