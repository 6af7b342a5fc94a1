import type { StateLook } from "../health/health-status.ts";
import type { LineStyle } from "./exported-picture.ts";

/** Colours of the light theme, for what is looked at outside of the page, on paper too; a test holds them equal to tokens.css. */
export const LIGHT = {
  bg: "#f4f6f8",
  surface: "#ffffff",
  line: "#dfe3e8",
  lineStrong: "#c2c9d2",
  ink: "#151a21",
  ink2: "#414a56",
  ink3: "#5a626c",
  edge: "#7f8997",
  edgeStrong: "#4d5763",
  edgeUses: "#66717e",
  degraded: "#901a15",
} as const;

/** Colour of a state. */
export const STATE_COLOURS: Readonly<Record<StateLook, string>> = {
  healthy: "#007c45",
  progressing: "#1862d8",
  degraded: LIGHT.degraded,
  suspended: "#713594",
  missing: "#9a5f00",
  unknown: "#626b79",
  locked: "#626b79",
  neutral: LIGHT.lineStrong,
};

interface LineLook {
  readonly stroke: string;
  readonly width: number;
  /** Empty for one that is not broken. */
  readonly dashes: string;
}

/** How each style is drawn: its dashes tell it apart without colour. */
export const LINE_LOOKS: Readonly<Record<LineStyle, LineLook>> = {
  owns: { stroke: LIGHT.edge, width: 1.5, dashes: "" },
  routes: { stroke: LIGHT.edgeStrong, width: 1.5, dashes: "" },
  uses: { stroke: LIGHT.edgeUses, width: 1.25, dashes: "1.25 3.25" },
  binds: { stroke: LIGHT.edgeStrong, width: 1.25, dashes: "5 3" },
  governs: { stroke: LIGHT.edge, width: 1.5, dashes: "1 5" },
  dangling: { stroke: LIGHT.degraded, width: 1.5, dashes: "5 3" },
};
