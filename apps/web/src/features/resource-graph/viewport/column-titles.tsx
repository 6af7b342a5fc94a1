"use client";
import type { ReactNode } from "react";
import type { Density, View } from "./geometry.ts";
import type { Picture } from "../picture/picture.ts";
import { COLUMN_TITLES } from "../layout/columns.ts";
import { LANE_COLUMNS } from "../layout/lanes.ts";
import { sayLater } from "../../../ui/said.ts";
import styles from "./viewport.module.css";

/** What the columns are, above each lane; they stay at the top while the canvas moves. */
export function ColumnTitles({
  picture,
  density,
  view,
}: {
  readonly picture: Picture;
  readonly density: Density;
  readonly view: View;
}): ReactNode {
  if (view.zoom < 0.5) return null;
  return (
    <div className={styles["columnTitles"]} aria-hidden="true">
      {Array.from({ length: picture.lanes }, (_, lane) =>
        COLUMN_TITLES.map((title, column) => {
          const x = (lane * LANE_COLUMNS + column) * density.columnPitch * view.zoom + view.x;
          return x < -400 || x > 4000 ? null : (
            <span key={`${lane}/${title}`} style={{ transform: `translateX(${x}px)` }}>
              {sayLater(title)}
            </span>
          );
        }),
      )}
    </div>
  );
}
