"use client";
import { useStore, ViewportPortal } from "@xyflow/react";
import { memo, useMemo, useState, type ReactNode } from "react";
import type { Density } from "./geometry.ts";
import type { Picture } from "./graph-session.ts";
import type { EdgeStyle } from "./layout/graph-input.ts";
import { Lines, type Line } from "./line-path.ts";

/** Screen pixels after which the lines in sight are looked for again, and how far beyond the screen they are drawn. */
const TILE_PX = 400;

/**
 * All lines as one drawing below the cards. Not React Flow's edges: those measure handles in the page, and each of them listens to every change.
 */
export function LineLayer(props: {
  readonly picture: Picture;
  readonly density: Density;
  readonly shown: ReadonlySet<EdgeStyle>;
  /** Draw only those in sight. */
  readonly cull: boolean;
}): ReactNode {
  const { picture, density, shown, cull } = props;
  const [cache] = useState(() => new Lines());
  const lines = useMemo(() => cache.of(picture, shown, density), [cache, picture, shown, density]);
  // A text, so that panning within a tile renders nothing.
  const sight = useStore(({ transform: [x, y, zoom], width, height }) => (cull ? sightOf({ x, y, zoom }, width, height) : ""));
  const visible = useMemo(() => (sight === "" ? lines : inSight(lines, sight)), [lines, sight]);
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
        {visible.map((line) => (
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

function sightOf(view: { readonly x: number; readonly y: number; readonly zoom: number }, width: number, height: number): string {
  const tile = TILE_PX / view.zoom;
  const left = Math.floor(-view.x / view.zoom / tile - 1) * tile;
  const top = Math.floor(-view.y / view.zoom / tile - 1) * tile;
  const right = left + width / view.zoom + 3 * tile;
  const bottom = top + height / view.zoom + 3 * tile;
  return [left, top, right, bottom].map(Math.round).join(" ");
}

function inSight(lines: readonly Line[], sight: string): readonly Line[] {
  const [left = 0, top = 0, right = 0, bottom = 0] = sight.split(" ").map(Number);
  return lines.filter(({ box }) => box.right >= left && box.left <= right && box.bottom >= top && box.top <= bottom);
}
