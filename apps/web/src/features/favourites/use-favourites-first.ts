"use client";
import { useMemo, createContext } from "react";
import { useViewerList } from "../viewer-storage/use-viewer-list.ts";
import { FAVOURITES, FAVOURITES_FIRST } from "./favourites.ts";

/** Whose favourites are shown: the user name in the main application. */
export const FavouritesOf = createContext<string | undefined>(undefined);

/** The viewer's favourites of a project, whether they come first, and how to change that. */
export function useFavouritesFirst(
  projectPath: string,
  viewer: string | undefined,
): { readonly names: ReadonlySet<string>; readonly isFirst: boolean; readonly toggle: () => void } {
  const favourites = useViewerList(FAVOURITES, viewer);
  const isFirst = useViewerList(FAVOURITES_FIRST, viewer).length > 0;
  const names = useMemo(
    () => new Set(favourites.flatMap((each) => (each.projectPath === projectPath ? each.environment : []))),
    [favourites, projectPath],
  );
  const toggle = (): void => {
    if (viewer !== undefined) FAVOURITES_FIRST.set(viewer, isFirst ? [] : [true]);
  };
  return { names, isFirst, toggle };
}
