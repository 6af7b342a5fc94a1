/* oxlint-disable jsx-a11y/prefer-tag-over-role -- there is no <img> inside of a drawing */
import { memo, type ReactNode } from "react";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import type { Card } from "@binnacle/presentation/layout/card";
import type { LineMark } from "@binnacle/presentation/layout/graph-input";
import { MARK_SHAPES, MARK_WORDS } from "@binnacle/presentation/drawing/mark-shapes";
import type { Line } from "@binnacle/presentation/drawing/line-path";
import { tLater } from "../../../ui/messages.ts";
import { linesOf } from "@binnacle/presentation/drawing/line-path";
import { titleOfFold } from "@binnacle/presentation/layout/fold-title";
import styles from "./line-marks.module.css";

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
