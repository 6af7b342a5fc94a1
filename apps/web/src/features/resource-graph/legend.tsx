"use client";
import { useStore } from "@xyflow/react";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { encodeStyles, STYLE_WORDS } from "./edge-presets.ts";
import type { Picture } from "./graph-session.ts";
import { EDGE_STYLES, type EdgeStyle } from "./layout/graph-input.ts";
import type { GraphView } from "./use-graph-view.ts";

/** Edges with their numbers, each a toggle; and the zoom. */
export function Legend(props: {
  readonly picture: Picture;
  readonly shown: ReadonlySet<EdgeStyle>;
  readonly graphView: GraphView;
  readonly onEdges: (edges: string) => void;
  readonly onTidy: () => void;
}): ReactNode {
  const { picture, shown, graphView, onEdges, onTidy } = props;
  const zoom = useStore((flow) => Math.round(flow.transform[2] * 100));
  const toggle = (style: EdgeStyle): void => {
    const next = new Set(shown);
    if (!next.delete(style)) next.add(style);
    onEdges(encodeStyles(next));
  };
  return (
    <div className="legend" role="toolbar" aria-label="Edges and zoom">
      <b className="b">Edges</b>
      {EDGE_STYLES.map((style) => (
        <button key={style} type="button" className="lg" aria-pressed={shown.has(style)} onClick={() => toggle(style)}>
          <svg width="28" height="10" aria-hidden="true">
            <path className={`line ${style}`} d="M1 5H26" {...(style === "routes" ? { markerEnd: "url(#graph-arrow)" } : {})} />
          </svg>
          {STYLE_WORDS[style]} <span className="muted num">{picture.edgeCounts[style]}</span>
        </button>
      ))}
      <span className="grow" />
      <button
        type="button"
        className="btn ghost icon sm"
        aria-label="Zoom out"
        onClick={() => graphView.zoomTo(graphView.current().zoom / 1.25)}
      >
        <Icon name="minus" size={14} />
      </button>
      <button type="button" className="btn ghost sm num" aria-label={`Zoom ${zoom} %, set to 100 %`} onClick={() => graphView.zoomTo(1)}>
        {zoom} %
      </button>
      <button
        type="button"
        className="btn ghost icon sm"
        aria-label="Zoom in"
        onClick={() => graphView.zoomTo(graphView.current().zoom * 1.25)}
      >
        <Icon name="plus" size={14} />
      </button>
      <button type="button" className="btn ghost sm" onClick={() => graphView.fit()}>
        <Icon name="fit" size={14} />
        Fit
      </button>
      <button type="button" className="btn ghost sm" onClick={onTidy}>
        Tidy
      </button>
    </div>
  );
}
