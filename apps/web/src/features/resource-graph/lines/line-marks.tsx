/* oxlint-disable jsx-a11y/prefer-tag-over-role -- there is no <img> inside of a drawing */
import { memo, type ReactNode } from "react";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import type { Card } from "../layout/card.ts";
import type { LineMark } from "../layout/graph-input.ts";
import type { Line } from "./line-path.ts";
import { tLater } from "../../../ui/messages.ts";
import type { WordsId } from "@binnacle/words";
import { linesOf } from "./line-path.ts";
import { titleOfFold } from "../layout/fold-title.ts";
import styles from "./line-marks.module.css";

/** What a mark says, in the legend and to those who do not see it. */
export const MARK_WORDS: Readonly<Record<LineMark, WordsId>> = {
  missing: "resource/does-not-exist",
  refused: "resource-graph/refused",
  port: "resource-graph/no-such-port",
  idle: "resource-graph/no-traffic",
};

/** Each of another shape, around the origin, ten wide. */
export const MARK_SHAPES: Readonly<Record<LineMark, string>> = {
  missing: "M-4 -4l8 8m0-8l-8 8",
  refused: "M5 0A5 5 0 1 1 -5 0A5 5 0 1 1 5 0M-3.5 3.5l7-7",
  port: "M0-5L5.5 4.5H-5.5zM0-2V1.5M0 3v.1",
  idle: "M-2-4.5v9M2-4.5v9",
};

/** The sign of a mark. */
export function MarkSign({ mark }: { readonly mark: LineMark }): ReactNode {
  return <path className={styles["sign"]} data-mark={mark} d={MARK_SHAPES[mark]} />;
}

/** The marks of all lines, each an image with a name: "Ingress shop to Service web: no such port". */
export function LineMarks({ lines }: { readonly lines: readonly Line[] }): ReactNode {
  return lines.map((line) => line.edge.mark !== undefined && <MarkView key={line.edge.id} line={line} mark={line.edge.mark} />);
}

const MarkView = memo(function MarkView({ line, mark }: { readonly line: Line; readonly mark: LineMark }): ReactNode {
  const { edge, source, target, markAt } = line;
  const name = tLater("resource-graph/to", { cardName: cardName(source), cardName2: cardName(target), part: tLater(MARK_WORDS[mark]) });
  return (
    <g role="img" aria-label={name} transform={`translate(${markAt.x} ${markAt.y})`}>
      <title>{tLater("resource-graph/marked", { name, paths: linesOf(edge.paths) })}</title>
      <circle className={styles["ground"]} r="7" />
      <MarkSign mark={mark} />
    </g>
  );
});

function cardName(card: Card): string {
  const { type, kind, name } = card;
  return type === "fold" ? titleOfFold(card) : `${drawnName(kind)} ${drawnName(name)}`;
}
