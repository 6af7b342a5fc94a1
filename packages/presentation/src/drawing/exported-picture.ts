import type { StateLook } from "../health/health-status.ts";

/** How a line is drawn, as the graph's legend has it. */
export type LineStyle = "owns" | "routes" | "uses" | "binds" | "governs" | "dangling";

/** A card of the graph, ready to be drawn. Pixels of the canvas at 100 %. */
export interface ExportedCard {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** "deploy". */
  readonly kind: string;
  readonly name: string;
  readonly fact: string;
  readonly look: StateLook;
  /** The status in a word: colour is never alone. Empty where there is none. */
  readonly word: string;
  /** The reason below the card; empty for none. */
  readonly strip: string;
  /** Does not exist, or may not be seen, or stands for several. */
  readonly outline: "plain" | "dashed" | "stacked";
  /** All of it, for who points at it and for readers. */
  readonly title: string;
}

/** A line between two cards. */
export interface ExportedLine {
  readonly source: string;
  readonly target: string;
  /** As in SVG. */
  readonly path: string;
  readonly style: LineStyle;
  /** No traffic takes it. */
  readonly idle: boolean;
  /** Why it leads nowhere; empty for what does, or of which nothing is known. */
  readonly mark: string;
  readonly markAt: { readonly x: number; readonly y: number };
}

/** An entry of the legend. */
export interface LegendEntry {
  readonly style: LineStyle;
  readonly text: string;
  readonly count: number;
}

/** The whole graph as it is drawn: every card, in sight or not. This is all that an export knows of how the graph is laid out. */
export interface ExportedPicture {
  readonly cardWidth: number;
  readonly cardHeight: number;
  readonly stripHeight: number;
  readonly cards: readonly ExportedCard[];
  readonly lines: readonly ExportedLine[];
  /** Names of columns, and where they begin. */
  readonly columns: readonly { readonly text: string; readonly x: number }[];
  readonly legend: readonly LegendEntry[];
  /** The marks that stand on its lines, each with its sign: a path around the origin, ten wide. */
  readonly marks: readonly { readonly text: string; readonly shape: string }[];
}
