import { visibleText } from "@binnacle/words";
import type { ReactNode } from "react";
import type { Span } from "../search/line-matcher.ts";
import { styledParts, type PlainLine, type TextStyle } from "../text/ansi.ts";
import styles from "./log-row.module.css";

/** A line with its colours and its matches; what cannot be seen has a mark, and nothing of it is HTML. @param props.to characters from its start: the rest is not shown */
export function LogText({
  line,
  spans,
  to,
}: {
  readonly line: PlainLine;
  readonly spans: readonly Span[];
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
  for (const span of spans) {
    if (span.from >= to) break;
    const end = Math.min(span.to, to);
    nodes.push(...plain(at, span.from), <mark key={`mark ${span.from}`}>{plain(span.from, end)}</mark>);
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
