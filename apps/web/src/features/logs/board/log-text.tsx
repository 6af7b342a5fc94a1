import type { MatchRange } from "@binnacle/pod-logs/filter";
import { visibleText } from "@binnacle/words";
import type { ReactNode } from "react";
import { styledParts, type PlainLine, type TextStyle } from "../text/ansi.ts";
import styles from "./log-row.module.css";

/** A line with its colours and its matches; what cannot be seen has a mark, and nothing of it is HTML. @param props.to characters from its start: the rest is not shown */
export function LogText({
  line,
  ranges,
  to,
}: {
  readonly line: PlainLine;
  readonly ranges: readonly MatchRange[];
  readonly to: number;
}): ReactNode {
  const nodes: ReactNode[] = [];
  const plain = (from: number, until: number): ReactNode[] =>
    styledParts(line, from, until).map(({ text, style }, index) => {
      const look = classOf(style);
      // oxlint-disable-next-line react/no-array-index-key -- parts of a text have no other name than their place
      return look === "" ? (
        visibleText(text)
      ) : (
        <span key={`${from} ${index}`} className={look}>
          {visibleText(text)}
        </span>
      );
    });
  let at = 0;
  for (const range of ranges) {
    if (range.start >= to) break;
    const end = Math.min(range.end, to);
    nodes.push(...plain(at, range.start), <mark key={`mark ${range.start}`}>{plain(range.start, end)}</mark>);
    at = end;
  }
  nodes.push(...plain(at, to));
  return nodes;
}

function classOf(style: TextStyle): string {
  const { colour, isBold = false, isFaint = false, isItalic = false, isUnderlined = false, isStruck = false } = style;
  return [
    colour === undefined ? undefined : styles[colour],
    isBold ? styles["bold"] : undefined,
    isFaint ? styles["faint"] : undefined,
    isItalic ? styles["italic"] : undefined,
    isUnderlined ? styles["underlined"] : undefined,
    isStruck ? styles["struck"] : undefined,
  ]
    .filter((name) => name !== undefined)
    .join(" ");
}
