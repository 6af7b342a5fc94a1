"use client";
import { useView } from "../live/environment-context.tsx";
import { useViewerList } from "../viewer-storage/use-viewer-list.ts";
import { SAVED_VIEWS, viewsOfProject, type SavedView } from "./saved-views.ts";

/** The views that the viewer keeps of the project of this page, and how to keep others. */
export function useSavedViews(): {
  readonly views: readonly SavedView[];
  /** Empty while unknown: then nothing can be saved. */
  readonly projectPath: string;
  /** @param change of the views of all projects @returns `false` when they live no longer than this page */
  readonly keep: (change: (views: readonly SavedView[]) => readonly SavedView[]) => boolean;
} {
  const { environment, viewer } = useView();
  const username = viewer?.username ?? "";
  const projectPath = username === "" ? "" : (environment?.projectPath ?? "");
  const all = useViewerList(SAVED_VIEWS, username);
  return {
    views: viewsOfProject(all, projectPath),
    projectPath,
    keep: (change) => username !== "" && SAVED_VIEWS.set(username, change(SAVED_VIEWS.of(username))),
  };
}
