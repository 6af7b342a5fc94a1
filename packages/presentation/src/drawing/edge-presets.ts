import { DEFAULT_EDGES } from "../graph/default-edges.ts";
import { EDGE_STYLES, type EdgeStyle } from "../layout/graph-input.ts";
import type { WordsId } from "@binnacle/words";

/** Presets of the toolbar: which edges are drawn. Nodes always stay. */
export const PRESETS: readonly { readonly key: string; readonly text: WordsId; readonly styles: readonly EdgeStyle[] }[] = [
  { key: DEFAULT_EDGES, text: "resource-graph/default", styles: EDGE_STYLES.filter((style) => style !== "governs") },
  { key: "ownership", text: "resource-graph/ownership", styles: ["owns"] },
  { key: "traffic", text: "resource-graph/traffic", styles: ["owns", "routes"] },
  { key: "config", text: "resource-graph/config", styles: ["owns", "uses", "dangling"] },
  { key: "all", text: "ui/all-option", styles: EDGE_STYLES },
];

/** What the legend calls a style. */
export const STYLE_WORDS: Readonly<Record<EdgeStyle, WordsId>> = {
  owns: "resource-graph/style/owns",
  routes: "resource-graph/style/routes",
  uses: "resource-graph/style/uses",
  binds: "resource-graph/style/binds",
  governs: "resource-graph/style/governs",
  dangling: "resource-graph/style/dangling",
};

/** Styles that the address asks for: a preset, or styles joined by dots. */
export function shownStyles(edges: string): ReadonlySet<EdgeStyle> {
  const preset = PRESETS.find((each) => each.key === edges);
  if (preset !== undefined) return new Set(preset.styles);
  const requested = edges.split(".");
  return new Set(EDGE_STYLES.filter((style) => requested.includes(style)));
}

/** The address for a set of styles: a preset where one fits. */
export function encodeStyles(styles: ReadonlySet<EdgeStyle>): string {
  const preset = PRESETS.find((each) => each.styles.length === styles.size && each.styles.every((style) => styles.has(style)));
  return preset?.key ?? (EDGE_STYLES.filter((style) => styles.has(style)).join(".") || "none");
}
