import type { OverviewItem } from "./overview-items.ts";

/** Two commits of a project. */
export interface CommitPair {
  readonly projectPath: string;
  readonly base: string;
  readonly head: string;
}

/** How the version of an environment stands to that of its project's production. */
export type Drift =
  | { readonly kind: "none" }
  /** The commits differ; the distance can be requested. */
  | { readonly kind: "commits"; readonly base: string; readonly pair: CommitPair }
  /** Only images tell that the versions differ. */
  | { readonly kind: "images"; readonly base: string };

const NO_DRIFT: Drift = { kind: "none" };

/** By project the environment of tier production that the others are compared with: the one of that name, or the first by name. */
export function productionsOf(items: readonly OverviewItem[]): ReadonlyMap<string, OverviewItem> {
  const productions = new Map<string, OverviewItem>();
  for (const item of items) {
    if (item.row.environment?.tier !== "production") continue;
    const before = productions.get(item.projectPath);
    if (before === undefined || rank(item) < rank(before)) productions.set(item.projectPath, item);
  }
  return productions;
}

/** The drift of an environment. What is not known on one side is no drift. */
export function driftOf(item: OverviewItem, productions: ReadonlyMap<string, OverviewItem>): Drift {
  const production = productions.get(item.projectPath);
  if (production === undefined || production.id === item.id) return NO_DRIFT;
  const [base, head] = [shaOf(production), shaOf(item)];
  if (base !== undefined && head !== undefined) {
    if (base === head) return NO_DRIFT;
    return { kind: "commits", base: production.name, pair: { projectPath: item.projectPath, base, head } };
  }
  const [was, is] = [imagesOf(production), imagesOf(item)];
  return was === "" || is === "" || was === is ? NO_DRIFT : { kind: "images", base: production.name };
}

/** The tag of an image, or the beginning of its digest; the image itself without either. */
export function tagOf(image: string): string {
  const digest = /@sha256:([0-9a-f]{7})/.exec(image)?.[1];
  if (digest !== undefined) return digest;
  const name = image.slice(image.lastIndexOf("/") + 1);
  return name.includes(":") ? name.slice(name.indexOf(":") + 1) : name;
}

function shaOf({ row }: OverviewItem): string | undefined {
  return row.environment?.delivery?.lastDeployment?.value?.sha;
}

/** All images; empty where they are not known, or not all. */
function imagesOf({ row }: OverviewItem): string {
  if (row.moreImages > 0) return "";
  return row.images
    .map(({ image }) => image)
    .toSorted((a, b) => (a < b ? -1 : 1))
    .join("\n");
}

function rank({ name }: OverviewItem): string {
  return name === "production" ? "" : name;
}
