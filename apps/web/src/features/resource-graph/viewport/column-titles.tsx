"use client";
import { useMemo, type ReactNode } from "react";
import type { Density, View } from "./geometry.ts";
import type { Picture } from "../picture/picture.ts";
import { titledColumns } from "../layout/titled-columns.ts";
import { sayLater } from "../../../ui/said.ts";
import styles from "./viewport.module.css";

const GAP_PX = 8;

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
  const columns = useMemo(() => titledColumns(picture.cards.values()), [picture]);
  if (view.zoom < 0.5) return null;
  return (
    <div className={styles["columnTitles"]} aria-hidden="true">
      {columns.map(({ title, at, room }) => {
        const pitch = density.columnPitch * view.zoom;
        const x = at * pitch + view.x;
        return x < -400 || x > 4000 ? null : (
          <span key={at} style={{ transform: `translateX(${x}px)`, maxWidth: room === Infinity ? undefined : room * pitch - GAP_PX }}>
            {sayLater(title)}
          </span>
        );
      })}
    </div>
  );
}
