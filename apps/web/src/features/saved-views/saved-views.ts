import { encodeUrlState, parseUrlState } from "../address/url-state.ts";
import { ViewerList } from "../viewer-storage/viewer-list.ts";

/** A view that its viewer has given a name: a state of the pages of all environments of a project, as the team's are. */
export interface SavedView {
  readonly projectPath: string;
  readonly name: string;
  /** As `encodeUrlState` writes it. */
  readonly query: string;
}

/** So long a name may be. */
export const MAX_NAME_CHARS = 60;

/** The views of each viewer. */
export const SAVED_VIEWS = new ViewerList<SavedView>({ name: "views", most: 100, parse: parseSavedView });

/** Reads one that was kept. What its query says is read as any address is. */
export function parseSavedView(value: unknown): SavedView | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!("projectPath" in value) || !("name" in value) || !("query" in value)) return undefined;
  const { projectPath, name, query } = value;
  if (typeof projectPath !== "string" || typeof name !== "string" || typeof query !== "string") return undefined;
  const cleaned = cleanName(name);
  return cleaned === "" ? undefined : { projectPath, name: cleaned, query: encodeUrlState(parseUrlState(new URLSearchParams(query))) };
}

/** The name as it is kept: without what is not seen, and not too long. */
export function cleanName(name: string): string {
  return name
    .slice(0, 4 * MAX_NAME_CHARS)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, " ")
    .trim()
    .slice(0, MAX_NAME_CHARS)
    .trim();
}

/** Those of one project. */
export function viewsOfProject(views: readonly SavedView[], projectPath: string): readonly SavedView[] {
  return views.filter((view) => view.projectPath === projectPath);
}

/** The views with one more, in front; it takes the place of one of its name. */
export function withView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  return [view, ...views.filter((each) => !isSame(each, view))];
}

/** The views without one. */
export function withoutView(views: readonly SavedView[], view: SavedView): readonly SavedView[] {
  return views.filter((each) => !isSame(each, view));
}

/** The views with another name for one, in its place; whatever had that name before goes. */
export function withRenamed(views: readonly SavedView[], view: SavedView, name: string): readonly SavedView[] {
  const renamed = { ...view, name };
  return views.flatMap((each) => (isSame(each, view) ? renamed : isSame(each, renamed) ? [] : each));
}

function isSame(left: SavedView, right: SavedView): boolean {
  return left.projectPath === right.projectPath && left.name === right.name;
}
