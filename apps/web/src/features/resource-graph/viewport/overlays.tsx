"use client";
import { useStore } from "@xyflow/react";
import { useMemo, type ReactNode } from "react";
import type { Picture } from "../picture/picture.ts";
import { ColumnTitles } from "./column-titles.tsx";
import { FarBlocks } from "./far-blocks.tsx";
import { detailOf, type Bounds, type Density, type Size, type View } from "./geometry.ts";
import { Minimap } from "./minimap.tsx";
import { NewCards } from "./new-cards.tsx";

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
