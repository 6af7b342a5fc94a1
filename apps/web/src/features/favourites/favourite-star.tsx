"use client";
import { use, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { useViewerList } from "../viewer-storage/use-viewer-list.ts";
import styles from "./favourites.module.css";
import { FAVOURITES, isFavourite, withToggled, type Favourite } from "./favourites.ts";
import { FavouritesOf } from "./favourites-of.ts";
import { t } from "../../ui/messages.ts";

/** Marks an environment as one of the viewer's favourites, or takes the mark away. Nothing while nobody knows whose it would be. */
export function FavouriteStar({ projectPath, environment }: Favourite): ReactNode {
  const viewer = use(FavouritesOf);
  const favourites = useViewerList(FAVOURITES, viewer);
  if (viewer === undefined || viewer === "") return null;
  const favourite = { projectPath, environment };
  const isMarked = isFavourite(favourites, favourite);
  return (
    <button
      type="button"
      className={styles["star"]}
      aria-pressed={isMarked}
      aria-label={t("favourites/favourite", { environment })}
      title={isMarked ? t("favourites/is-favourite") : t("favourites/add")}
      onClick={() => FAVOURITES.set(viewer, withToggled(FAVOURITES.of(viewer), favourite))}
    >
      <Icon name="star" size={14} />
    </button>
  );
}
