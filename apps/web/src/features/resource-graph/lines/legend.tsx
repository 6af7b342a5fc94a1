"use client";
import { useStore } from "@xyflow/react";
import { useMemo, type ReactNode } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { encodeStyles, STYLE_WORDS } from "@binnacle/presentation/drawing/edge-presets";
import type { Picture } from "../picture/picture.ts";
import { EDGE_STYLES, LINE_MARKS, type EdgeStyle, type LineMark } from "@binnacle/presentation/layout/graph-input";
import { MARK_WORDS } from "@binnacle/presentation/drawing/mark-shapes";
import { MarkSign } from "./line-marks.tsx";
import type { GraphView } from "../viewport/use-graph-view.ts";
import { tLater } from "../../../ui/messages.ts";
import styles from "./legend.module.css";
import lines from "./line-layer.module.css";

/** Edges with their numbers, each a toggle; the marks that stand on lines of this picture; and the zoom. */
export function Legend(props: {
  readonly picture: Picture;
  readonly shown: ReadonlySet<EdgeStyle>;
  readonly graphView: GraphView;
  readonly onEdges: (edges: string) => void;
  readonly onTidy: () => void;
}): ReactNode {
  const { picture, shown, graphView, onEdges, onTidy } = props;
  const zoom = useStore((flow) => Math.round(flow.transform[2] * 100));
  const marks = useMemo(() => marksOf(picture, shown), [picture, shown]);
  const toggle = (style: EdgeStyle): void => {
    const next = new Set(shown);
    if (!next.delete(style)) next.add(style);
    onEdges(encodeStyles(next));
  };
  return (
    <div className={styles["legend"]} role="toolbar" aria-label={tLater("resource-graph/edges-and-zoom")}>
      <b className="b">{tLater("resource-graph/edges")}</b>
      {EDGE_STYLES.map((style) => (
        <button key={style} type="button" className={styles["style"]} aria-pressed={shown.has(style)} onClick={() => toggle(style)}>
          <svg width="28" height="10" aria-hidden="true">
            <path
              className={lines["line"]}
              data-style={style}
              d="M1 5H26"
              {...(style !== "owns" ? { markerEnd: "url(#graph-arrow)" } : {})}
            />
          </svg>
          {tLater(STYLE_WORDS[style])} <span className="muted num">{picture.edgeCounts[style]}</span>
        </button>
      ))}
      {LINE_MARKS.filter((mark) => marks.has(mark)).map((mark) => (
        <span key={mark} className={styles["mark"]}>
          <svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">
            <MarkSign mark={mark} />
          </svg>
          {tLater(MARK_WORDS[mark])}
        </span>
      ))}
      <span className="grow" />
      <span className={styles["zoom"]}>
        <button
          type="button"
          className="btn ghost icon sm"
          aria-label={tLater("resource-graph/zoom-out")}
          onClick={() => graphView.zoomTo(graphView.current().zoom / 1.25)}
        >
          <Icon name="minus" size={14} />
        </button>
        <button
          type="button"
          className="btn ghost sm num"
          aria-label={tLater("resource-graph/zoom-set-100", { zoom })}
          onClick={() => graphView.zoomTo(1)}
        >
          {zoom} %
        </button>
        <button
          type="button"
          className="btn ghost icon sm"
          aria-label={tLater("resource-graph/zoom-in")}
          onClick={() => graphView.zoomTo(graphView.current().zoom * 1.25)}
        >
          <Icon name="plus" size={14} />
        </button>
        <button type="button" className="btn ghost sm" onClick={() => graphView.fit()}>
          <Icon name="fit" size={14} />
          {tLater("resource-graph/fit")}
        </button>
        <button type="button" className="btn ghost sm" onClick={onTidy}>
          {tLater("resource-graph/tidy")}
        </button>
      </span>
    </div>
  );
}

function marksOf({ edges }: Picture, shown: ReadonlySet<EdgeStyle>): ReadonlySet<LineMark> {
  return new Set([...edges.values()].flatMap(({ mark, style }) => (mark === undefined || !shown.has(style) ? [] : mark)));
}
