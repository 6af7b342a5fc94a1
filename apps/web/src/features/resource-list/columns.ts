import { millisOf } from "../../ui/format-time.ts";
import { Preference } from "../../ui/preference.ts";
import { statusOf } from "../live/health-status.ts";
import type { LiveNode } from "../live/live-node.ts";
import type { WordsId } from "@binnacle/words";

/** What a column is called in an address. */
export type ColumnKey = "kind" | "name" | "namespace" | "health" | "ready" | "restarts" | "age" | "owner" | "images" | "managed";

/** A column of the list. */
export interface Column {
  readonly key: ColumnKey;
  readonly title: WordsId;
  /** As narrow as it can become, in pixels, and its share of what is left; 0 never grows. */
  readonly least: number;
  readonly share: number;
  /** By what it is sorted, rising: numbers before texts, nothing at the end. */
  readonly valueOf: (node: LiveNode, ownerOf: OwnerOf) => number | string | undefined;
}

/** The owner of a node, as far as it is known. */
export type OwnerOf = (node: LiveNode) => LiveNode | undefined;

/** All columns in their order. */
export const COLUMNS: readonly Column[] = [
  { key: "kind", title: "resource-list/kind", least: 168, share: 0.5, valueOf: (node) => node.ref?.kind },
  { key: "name", title: "resource-list/name", least: 220, share: 1.6, valueOf: (node) => node.ref?.name },
  { key: "namespace", title: "resource-list/namespace", least: 110, share: 0.8, valueOf: (node) => node.ref?.namespace || undefined },
  { key: "health", title: "resource-list/health", least: 272, share: 1.5, valueOf: (node) => 0 - Number(statusOf(node)) },
  {
    key: "ready",
    title: "resource-list/ready",
    least: 132,
    share: 0.9,
    valueOf: (node) => (node.wanted > 0 ? node.ready / node.wanted : undefined),
  },
  { key: "restarts", title: "resource-list/restarts", least: 84, share: 0, valueOf: (node) => node.restarts },
  {
    key: "age",
    title: "resource-list/age",
    least: 60,
    share: 0,
    valueOf: (node) => (node.createdAt === undefined ? undefined : -millisOf(node.createdAt)),
  },
  { key: "owner", title: "resource-list/owner", least: 130, share: 1, valueOf: (node, ownerOf) => ownerOf(node)?.ref?.name },
  { key: "images", title: "resource-list/images", least: 150, share: 1, valueOf: (node) => node.images[0] },
  { key: "managed", title: "resource-list/managed-by", least: 240, share: 1.2, valueOf: (node) => node.managedBy?.name },
];

/** What a card of a phone tells, in this order; the drawer has the rest. */
export const CARD_COLUMNS: readonly Column[] = COLUMNS.filter(({ key }) => ["kind", "name", "health", "ready"].includes(key));

const SEPARATOR = ",";

/** The columns that a reader has chosen for every list, as an address would say them; empty: all. */
export const CHOSEN_COLUMNS = new Preference<string>("list-columns", "", (text): text is string => text.length < 200);

/** How close the rows are. */
export const ROW_DENSITY = new Preference<"comfortable" | "compact">(
  "list-density",
  "comfortable",
  (text) => text === "comfortable" || text === "compact",
);

/**
 * Columns to show, always with the name, in the order of the table.
 *
 * @param asked keys of an address, or else of the reader's choice; none and unknown ones are all
 * @param managed whether a tool manages anything: otherwise nothing is said of it
 */
export function shownColumns(asked: readonly string[], preferred: string, managed: boolean): readonly Column[] {
  const there = COLUMNS.filter(({ key }) => managed || key !== "managed");
  const wanted = asked.length > 0 ? asked : preferred.split(SEPARATOR);
  const chosen = there.filter(({ key }) => wanted.includes(key));
  return chosen.length === 0 ? there : there.filter(({ key }) => key === "name" || wanted.includes(key));
}

/** How columns are said in an address and remembered; all of them is nothing. */
export function saidColumns(keys: readonly ColumnKey[]): string {
  return COLUMNS.every(({ key }) => key === "managed" || keys.includes(key)) ? "" : keys.join(SEPARATOR);
}

/** The same as columns of a grid, and how wide the table is at least. */
export function gridOf(columns: readonly Column[]): { readonly template: string; readonly leastPx: number } {
  const tracks = columns.map(({ least, share }) => (share === 0 ? `${least}px` : `minmax(${least}px, ${share}fr)`));
  return {
    template: [`${CHECK_PX}px`, ...tracks].join(" "),
    leastPx: CHECK_PX + 2 * PADDING_PX + columns.reduce((sum, { least }) => sum + least, 0),
  };
}

const CHECK_PX = 28;
const PADDING_PX = 24;
