import type { StateLook } from "../../ui/state-glyph.tsx";
import { fit, wordsOf } from "./fuzzy.ts";
import type { WordsId } from "@binnacle/words";

/** Where things in the palette belong, in the order that they are shown in. */
const PALETTE_GROUPS = ["Recent", "Resources", "Kinds", "Projects", "Environments", "Actions"] as const;

/** One of them. */
type PaletteGroup = (typeof PALETTE_GROUPS)[number];

/** What each is called. */
export const GROUP_WORDS: Readonly<Record<PaletteGroup, WordsId>> = {
  Recent: "palette/group/recent",
  Resources: "palette/group/resources",
  Kinds: "palette/group/kinds",
  Projects: "palette/group/projects",
  Environments: "palette/group/environments",
  Actions: "palette/group/actions",
};

/** Something to go to, or to do. */
export interface PaletteItem {
  /** The same with every opening, so that it can be remembered. */
  readonly id: string;
  readonly group: Exclude<PaletteGroup, "Recent">;
  readonly text: string;
  /** What it is: kind and namespace, how many. */
  readonly detail?: string;
  readonly look?: StateLook;
  readonly state?: string;
  readonly run: () => void;
}

/** What is shown of all items. */
export interface PaletteResults {
  readonly groups: readonly { readonly title: PaletteGroup; readonly items: readonly PaletteItem[] }[];
  readonly total: number;
}

/** So many are shown: whoever wants another types on. */
const MOST = 50;
const MOST_UNASKED = { Resources: 8, Kinds: 6, Projects: 12, Environments: 8, Actions: 20 } as const;
/** What was chosen before is nearer than what is only called alike. */
const RECENT_BONUS = 15;

/** The items that fit a query, the best first, and their groups by their best. Of no query: what was chosen last, then some of each. */
export function resultsOf(items: readonly PaletteItem[], query: string, recent: readonly string[]): PaletteResults {
  const words = wordsOf(query);
  if (words.length === 0) return unasked(items, recent);
  const isRecent = new Set(recent);
  const found: { readonly item: PaletteItem; readonly score: number }[] = [];
  for (const item of items) {
    const score = fit(words, item.text.toLowerCase(), `${item.detail ?? ""} ${item.state ?? ""}`.toLowerCase());
    if (score > 0) found.push({ item, score: score + (isRecent.has(item.id) ? RECENT_BONUS : 0) });
  }
  found.sort((one, two) => two.score - one.score);
  const groups = new Map<PaletteGroup, PaletteItem[]>();
  for (const { item } of found.slice(0, MOST)) {
    const group = groups.get(item.group);
    if (group === undefined) groups.set(item.group, [item]);
    else group.push(item);
  }
  return { groups: [...groups].map(([title, members]) => ({ title, items: members })), total: found.length };
}

function unasked(items: readonly PaletteItem[], recent: readonly string[]): PaletteResults {
  const byId = new Map(items.map((item) => [item.id, item]));
  const last = recent.flatMap((id) => byId.get(id) ?? []);
  const groups = PALETTE_GROUPS.map((title) => ({
    title,
    items:
      title === "Recent" ? last : items.filter(({ group, id }) => group === title && !recent.includes(id)).slice(0, MOST_UNASKED[title]),
  }));
  return { groups: groups.filter((group) => group.items.length > 0), total: items.length };
}
