import { DEFAULT_EDGES } from "../../address/url-state.ts";
import { EDGE_STYLES, type EdgeStyle } from "../layout/graph-input.ts";

/** Presets of the toolbar: which edges are drawn. Nodes always stay. */
export const PRESETS: readonly { readonly key: string; readonly text: string; readonly styles: readonly EdgeStyle[] }[] = [
  { key: DEFAULT_EDGES, text: "Usual", styles: EDGE_STYLES.filter((style) => style !== "governs") },
  { key: "ownership", text: "Ownership", styles: ["owns"] },
  { key: "traffic", text: "Traffic", styles: ["owns", "routes"] },
  { key: "config", text: "Config", styles: ["owns", "uses", "dangling"] },
  { key: "all", text: "All", styles: EDGE_STYLES },
];

/** What the legend calls a style. */
export const STYLE_WORDS: Readonly<Record<EdgeStyle, string>> = {
  owns: "owns",
  routes: "routes, selects",
  uses: "uses",
  binds: "scales, binds",
  governs: "governs",
  dangling: "dangling",
};

/** Styles that the address asks for: a preset, or styles joined by dots. */
export function shownStyles(edges: string): ReadonlySet<EdgeStyle> {
  const preset = PRESETS.find((each) => each.key === edges);
  if (preset !== undefined) return new Set(preset.styles);
  const asked = edges.split(".");
  return new Set(EDGE_STYLES.filter((style) => asked.includes(style)));
}

/** The address for a set of styles: a preset where one fits. */
export function encodeStyles(styles: ReadonlySet<EdgeStyle>): string {
  const preset = PRESETS.find((each) => each.styles.length === styles.size && each.styles.every((style) => styles.has(style)));
  return preset?.key ?? (EDGE_STYLES.filter((style) => styles.has(style)).join(".") || "none");
}
