import { ViewerList } from "../viewer-storage/viewer-list.ts";

/** An environment that its viewer has marked. */
export interface Favourite {
  readonly projectPath: string;
  readonly environment: string;
}

/** The favourites of each viewer, of all projects. */
export const FAVOURITES = new ViewerList<Favourite>({ name: "favourites", most: 200, parse: parseFavourite });

/** Whether a viewer wants his favourites before all others: a list of one or none. */
export const FAVOURITES_FIRST = new ViewerList<true>({
  name: "favourites-first",
  most: 1,
  parse: (value) => (value === true ? value : undefined),
});

/** Reads one that was kept. */
export function parseFavourite(value: unknown): Favourite | undefined {
  if (typeof value !== "object" || value === null || !("projectPath" in value) || !("environment" in value)) return undefined;
  const { projectPath, environment } = value;
  return typeof projectPath === "string" && typeof environment === "string" ? { projectPath, environment } : undefined;
}

/** The favourites with this one, in front, or without it when it was among them. */
export function withToggled(favourites: readonly Favourite[], favourite: Favourite): readonly Favourite[] {
  const others = favourites.filter((each) => !isSame(each, favourite));
  return others.length < favourites.length ? others : [favourite, ...others];
}

/** Whether it is among them. */
export function isFavourite(favourites: readonly Favourite[], favourite: Favourite): boolean {
  return favourites.some((each) => isSame(each, favourite));
}

/** Names in their order, but those of favourites before all others. */
export function favouritesFirst(names: readonly string[], favourites: ReadonlySet<string>): readonly string[] {
  if (!names.some((name) => favourites.has(name))) return names;
  return [...names.filter((name) => favourites.has(name)), ...names.filter((name) => !favourites.has(name))];
}

function isSame(left: Favourite, right: Favourite): boolean {
  return left.projectPath === right.projectPath && left.environment === right.environment;
}
