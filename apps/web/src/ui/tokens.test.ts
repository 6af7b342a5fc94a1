import { readFileSync } from "node:fs";

import {
  type Color,
  differenceEuclidean,
  filterDeficiencyDeuter,
  filterDeficiencyProt,
  filterDeficiencyTrit,
  interpolate,
  parse,
  wcagContrast,
} from "culori";
import { describe, expect, it } from "vitest";

const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");
const themes = ["light", "dark"] as const;

const surfaces = ["bg", "surface", "surface-2", "sunken", "accent-soft"];
const states = ["st-healthy", "st-progressing", "st-degraded", "st-suspended", "st-missing", "st-unknown"];

function colourOf(token: string, theme: (typeof themes)[number]): Color {
  const [, light, dark] = new RegExp(`--${token}: light-dark\\((#\\w+), (#\\w+)\\);`, "u").exec(css) ?? [];
  const colour = parse({ light, dark }[theme] ?? "");
  if (colour === undefined) throw new Error(`tokens.css gives --${token} no colour for the ${theme} theme`);
  return colour;
}

/** What `color-mix(in srgb, var(--st) var(--soft), var(--surface))` shows: the fill of a card in trouble. */
function softFill(state: Color, theme: (typeof themes)[number]): Color {
  const share = Number(/--soft: (\d+)%;/u.exec(css)?.[1]) / 100;
  return interpolate([colourOf("surface", theme), state], "rgb")(share);
}

describe.each(themes)("the %s theme", (theme) => {
  it.each(["ink", "ink-2", "ink-3", "accent", ...states])("shows --%s as text that WCAG AA takes, whatever it lies on", (token) => {
    const text = colourOf(token, theme);
    for (const surface of surfaces) expect.soft(wcagContrast(text, colourOf(surface, theme)), surface).toBeGreaterThanOrEqual(4.5);
  });

  it.each(states)("shows --%s on its own soft fill", (token) => {
    const state = colourOf(token, theme);
    expect(wcagContrast(state, softFill(state, theme))).toBeGreaterThanOrEqual(4.5);
  });

  it("outlines controls and draws edges with 3:1", () => {
    for (const token of ["control", "edge", "edge-strong", "edge-uses", "focus"])
      for (const surface of ["bg", "surface"])
        expect.soft(wcagContrast(colourOf(token, theme), colourOf(surface, theme)), `${token} on ${surface}`).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ["every colour", (colour: Color) => colour],
    ["no green (deuteranopia)", filterDeficiencyDeuter(1)],
    ["no red (protanopia)", filterDeficiencyProt(1)],
    ["no blue (tritanopia)", filterDeficiencyTrit(1)],
  ] as const)("keeps the states apart for an eye that sees %s", (_eye, seen) => {
    const difference = differenceEuclidean("lab65");
    const colours = states.map((state) => seen(colourOf(state, theme)));
    for (const [index, colour] of colours.entries())
      for (const other of colours.slice(index + 1)) expect(difference(colour, other)).toBeGreaterThanOrEqual(20);
  });
});
