"use client";
import { useStore } from "@xyflow/react";
import { useMemo, type ReactNode } from "react";
import { tLater } from "../../../ui/messages.ts";
import { titledColumns } from "@binnacle/presentation/layout/titled-columns";
import type { Picture } from "../picture/picture.ts";
import { FarBlocks } from "./far-blocks.tsx";
import { detailOf, type Bounds, type Density, type Size, type View } from "@binnacle/presentation/drawing/geometry";
import { Minimap } from "./minimap.tsx";
import { NewCards } from "./new-cards.tsx";
import styles from "./viewport.module.css";

const GAP_PX = 8;

/** What follows the view on every frame, apart from the cards. */
export function Overlays(props: {
  readonly picture: Picture;
  readonly density: Density;
  readonly bounds: Bounds;
  readonly size: Size;
  readonly far: boolean;
  readonly onCentre: (x: number, y: number) => void;
  readonly onShowAll: (cardIds: readonly string[]) => void;
}): ReactNode {
  const { picture, density, bounds, size, far, onCentre, onShowAll } = props;
  const x = useStore((flow) => flow.transform[0]);
  const y = useStore((flow) => flow.transform[1]);
  const zoom = useStore((flow) => flow.transform[2]);
  const view = useMemo<View>(() => ({ x, y, zoom }), [x, y, zoom]);
  return (
    <>
      {detailOf(zoom) === "far" && <FarBlocks picture={picture} density={density} view={view} size={size} blocks={far} />}
      <ColumnTitles picture={picture} density={density} view={view} />
      <Minimap picture={picture} density={density} bounds={bounds} view={view} size={size} onMove={onCentre} />
      <NewCards picture={picture} density={density} view={view} size={size} onShow={onShowAll} />
    </>
  );
}

/** What the columns are, above each lane; they stay at the top while the canvas moves. */
function ColumnTitles({
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
            {tLater(title)}
          </span>
        );
      })}
    </div>
  );
}
