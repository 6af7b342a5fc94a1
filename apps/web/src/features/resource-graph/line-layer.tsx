"use client";
import { ViewportPortal } from "@xyflow/react";
import { memo, useMemo, useState, type ReactNode } from "react";
import type { Density } from "./geometry.ts";
import type { Picture } from "./graph-session.ts";
import type { EdgeStyle } from "./layout/graph-input.ts";
import { Lines, type Line } from "./line-path.ts";

/**
 * All lines as one drawing below the cards. Not React Flow's edges: those measure handles in the page, and each of them listens to every change.
 */
export function LineLayer(props: {
  readonly picture: Picture;
  readonly density: Density;
  readonly shown: ReadonlySet<EdgeStyle>;
  /** Draw only those in sight; empty draws all. */
  readonly sight: string;
}): ReactNode {
  const { picture, density, shown, sight } = props;
  const [cache] = useState(() => new Lines());
  const lines = useMemo(() => cache.of(picture, shown, { density, sight }), [cache, picture, shown, density, sight]);
  return (
    <ViewportPortal>
      <svg className="lines" aria-hidden="true">
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
    </ViewportPortal>
  );
}

const LineView = memo(function LineView({ line }: { readonly line: Line }): ReactNode {
  const { edge, path, middle, bad } = line;
  const count = edge.count > 1 ? ` (${edge.count})` : "";
  return (
    <g>
      <path
        className={`line ${edge.style} ${bad ? "bad" : ""}`}
        d={path}
        {...(edge.style === "routes" ? { markerEnd: "url(#graph-arrow)" } : {})}
      />
      <path className="line-hit" d={path}>
        <title>{[`${edge.style}${count}`, ...edge.paths].join("\n")}</title>
      </path>
      {edge.style === "dangling" && <path className="line-cross" d={`M${middle.x - 4} ${middle.y - 4}l8 8m0-8l-8 8`} />}
    </g>
  );
});
