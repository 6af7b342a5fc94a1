import type { StateLook } from "../../ui/state-glyph.tsx";
import type { WordsId } from "@binnacle/words";

/** Where things in the palette belong, in the order that they are shown in. */
const PALETTE_GROUPS = ["Recent", "Resources", "Kinds", "Projects", "Environments", "Actions"] as const;

/** One of them. */
type PaletteGroup = (typeof PALETTE_GROUPS)[number];

/** What each is called. */
export const GROUP_WORDS: Readonly<Record<PaletteGroup, WordsId>> = {
  Recent: "palette/group/recent",
  Resources: "ui/resources",
  Kinds: "palette/group/kinds",
  Projects: "ui/projects",
  Environments: "ui/environments",
  Actions: "actions/actions",
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

/** The maximum number of items; further typing narrows them. */
const MOST = 50;
const MAX_UNASKED = { Resources: 8, Kinds: 6, Projects: 12, Environments: 8, Actions: 20 } as const;
/** What was chosen before is nearer than what is only called alike. */
const RECENT_BONUS = 15;

const BOUNDARY = /[^a-z0-9]/;

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
      title === "Recent" ? last : items.filter(({ group, id }) => group === title && !recent.includes(id)).slice(0, MAX_UNASKED[title]),
  }));
  return { groups: groups.filter((group) => group.items.length > 0), total: items.length };
}

/**
 * How well the words of a query fit a text: 0 for not at all, more for better. Each word must stand in it, or its letters one after the other.
 * Linear in the text for each word.
 *
 * @param text in lower case, as the words
 */
export function fit(words: readonly string[], text: string, more = ""): number {
  let sum = 1;
  for (const word of words) {
    // What stands beside the name counts less, and only as it is written.
    const score = Math.max(fitOf(word, text), more.includes(word) ? 20 : 0);
    if (score === 0) return 0;
    sum += score;
  }
  // Of two that fit alike the shorter is nearer.
  return sum - Math.min(text.length, 100) / 100;
}

/** The words that the user has typed. */
export function wordsOf(query: string): readonly string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

function fitOf(word: string, text: string): number {
  const at = text.indexOf(word);
  if (at === 0) return text.length === word.length ? 120 : 100;
  if (at > 0) return BOUNDARY.test(text[at - 1] ?? "") ? 80 : 60;
  return lettersFit(word, text);
}

/** "chkout" in "checkout": at most 40, less for each gap, more for beginnings of parts. */
function lettersFit(word: string, text: string): number {
  let from = 0;
  let gaps = 0;
  let beginnings = 0;
  for (const letter of word) {
    const at = text.indexOf(letter, from);
    if (at < 0) return 0;
    if (at > from) gaps += 1;
    if (at === 0 || BOUNDARY.test(text[at - 1] ?? "")) beginnings += 1;
    from = at + 1;
  }
  return Math.max(1, 30 - 5 * gaps + 8 * beginnings);
}
