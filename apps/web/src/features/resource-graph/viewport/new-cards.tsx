"use client";
import { useState, type ReactNode } from "react";
import { Icon } from "../../../ui/icon.tsx";
import type { Picture } from "../picture/picture.ts";
import { pointOf, sideOf, type Density, type Size, type View } from "@binnacle/presentation/drawing/geometry";
import { tLater } from "../../../ui/messages.ts";
import styles from "./new-cards.module.css";

/** The words for the side of the screen. */
const SIDES = {
  right: "resource-graph/to-the-right",
  below: "resource-graph/below",
  left: "resource-graph/to-the-left",
  above: "resource-graph/above",
} as const;
type Side = keyof typeof SIDES;

/** New cards that were not visible yet, by the side where they are. */
export function unseenCards(
  picture: Pick<Picture, "cards">,
  ids: Iterable<string>,
  look: { readonly density: Density; readonly view: View; readonly size: Size },
): ReadonlyMap<Side, readonly string[]> {
  const sides = new Map<Side, string[]>();
  for (const id of ids) {
    const placed = picture.cards.get(id);
    const side = placed === undefined ? undefined : sideOf(pointOf(placed.slot, look.density), look);
    if (side !== undefined) sides.set(side, [...(sides.get(side) ?? []), id]);
  }
  return sides;
}

/** "2 new cards below": what came and stands out of sight; pressed, it is shown. One that has been seen is not new any more. */
export function NewCards(props: {
  readonly picture: Picture;
  readonly density: Density;
  readonly view: View;
  readonly size: Size;
  readonly onShow: (ids: readonly string[]) => void;
}): ReactNode {
  const { picture, density, view, size, onShow } = props;
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [taken, setTaken] = useState(picture.version);
  const known = taken === picture.version || picture.arrived.length === 0 ? ids : new Set([...ids, ...picture.arrived]);
  const sides = unseenCards(picture, known, { density, view, size });
  const unseen = [...sides.values()].flat();
  if (taken !== picture.version) setTaken(picture.version);
  if (known !== ids || unseen.length < ids.size) setIds(new Set(unseen));
  if (size.width === 0) return null;
  return (
    <output className={styles["hints"]}>
      {[...sides].map(([side, cards]) => (
        <button key={side} type="button" className={styles["hint"]} data-side={side} onClick={() => onShow(cards)}>
          {tLater("resource-graph/new-card", { count: cards.length, part: tLater(SIDES[side]) })}
          <Icon name="right" size={12} />
        </button>
      ))}
    </output>
  );
}
