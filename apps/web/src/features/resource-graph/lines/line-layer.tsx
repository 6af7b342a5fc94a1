"use client";
import { ViewportPortal } from "@xyflow/react";
import { memo, useMemo, useState, type ReactNode } from "react";
import type { Density } from "@binnacle/presentation/drawing/geometry";
import type { Picture } from "../picture/picture.ts";
import type { EdgeStyle } from "@binnacle/presentation/layout/graph-input";
import { LineMarks } from "./line-marks.tsx";
import { Lines, type Line, linesOf } from "@binnacle/presentation/drawing/line-path";
import { tLater } from "../../../ui/messages.ts";
import { STYLE_WORDS } from "@binnacle/presentation/drawing/edge-presets";
import styles from "./line-layer.module.css";

/**
 * All lines as one drawing below the cards. Not React Flow's edges: those measure handles in the page, and each of them listens to every change.
 */
export function LineLayer(props: {
  readonly picture: Picture;
  readonly density: Density;
  readonly shown: ReadonlySet<EdgeStyle>;
  /** Draw only those in sight; empty draws all. */
  readonly tile: string;
}): ReactNode {
  const { picture, density, shown, tile } = props;
  const [cache] = useState(() => new Lines());
  const lines = useMemo(() => cache.of(picture, shown, { density, tile }), [cache, picture, shown, density, tile]);
  return (
    <ViewportPortal>
      <svg className={styles["lines"]} aria-hidden="true">
        <defs>
          <marker
            id="graph-arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            markerUnits="userSpaceOnUse"
            orient="auto"
          >
            <path d="M0 .5L7 4 0 7.5z" />
          </marker>
        </defs>
        {lines.map((line) => (
          <LineView key={line.edge.id} line={line} />
        ))}
      </svg>
      <svg className={styles["lines"]}>
        <LineMarks lines={lines} />
      </svg>
    </ViewportPortal>
  );
}

const LineView = memo(function LineView({ line }: { readonly line: Line }): ReactNode {
  const { edge, path, bad } = line;
  const count = edge.count > 1 ? ` (${edge.count})` : "";
  return (
    <g>
      <path
        className={`${styles["line"]} ${bad ? styles["bad"] : ""}`}
        data-style={edge.style}
        data-mark={edge.mark}
        d={path}
        {...(edge.style !== "owns" ? { markerEnd: "url(#graph-arrow)" } : {})}
      />
      <path className={styles["hit"]} d={path}>
        <title>{tLater("resource-graph/line", { style: tLater(STYLE_WORDS[edge.style]), count, paths: linesOf(edge.paths) })}</title>
      </path>
    </g>
  );
});
