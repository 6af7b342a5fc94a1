"use client";
import { getSmoothStepPath, type Edge as FlowEdge, type EdgeProps } from "@xyflow/react";
import { memo, type ReactNode } from "react";
import type { CardEdge } from "./layout/card.ts";

/** What React Flow hands to a line. */
export type LineEdge = FlowEdge<{ readonly edge: CardEdge; readonly bad: boolean; readonly far: boolean }, "line">;

/** A line with rounded corners; its title says where the reference stands. */
export const LineView = memo(function LineView(props: EdgeProps<LineEdge>): ReactNode {
  const { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, data } = props;
  if (data === undefined) return null;
  const { edge, bad, far } = data;
  // Lines over several columns turn just before their target, so that they do not run along cards between.
  const centre = far ? { centerX: targetX - 16 } : {};
  const [path, labelX, labelY] = getSmoothStepPath({
    sourceX,
    sourceY,
    targetX,
    targetY,
    sourcePosition,
    targetPosition,
    borderRadius: 6,
    ...centre,
  });
  const reason = edge.paths.join("\n");
  return (
    <g>
      <path
        className={`line ${edge.style} ${bad ? "bad" : ""}`}
        d={path}
        {...(edge.style === "routes" ? { markerEnd: "url(#graph-arrow)" } : {})}
      />
      <path className="line-hit" d={path}>
        <title>{`${edge.style}${edge.count > 1 ? ` (${edge.count})` : ""}${reason === "" ? "" : `\n${reason}`}`}</title>
      </path>
      {edge.style === "dangling" && <path className="line-cross" d={`M${labelX - 4} ${labelY - 4}l8 8m0-8l-8 8`} />}
    </g>
  );
});
