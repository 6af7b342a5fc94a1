import { readFileSync } from "node:fs";

import { parse, wcagContrast, type Color } from "culori";
import { describe, expect, test } from "vitest";
import { TEXT_COLOURS } from "../text/ansi.ts";
import { SOURCE_COLOURS } from "../store/log-sources.ts";

const css = readFileSync(new URL("log-row.module.css", import.meta.url), "utf8");
const tokens = readFileSync(new URL("../../../ui/tokens.css", import.meta.url), "utf8");
/** What a row may lie on: plain, under the pointer, chosen. */
const GROUNDS = ["surface", "surface-2", "accent-soft"];
const COLOURS = [
  ...Array.from({ length: SOURCE_COLOURS }, (_, index) => `source-${index}`),
  ...TEXT_COLOURS.map((colour) => `ansi-${colour}`),
];

function colourOf(text: string, name: string, theme: "light" | "dark"): Color {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\);`, "u").exec(text) ?? [];
  const colour = parse({ light, dark }[theme] ?? "");
  if (colour === undefined) throw new Error(`--${name} has no colour for the ${theme} theme`);
  return colour;
}

describe.each(["light", "dark"] as const)("the %s theme", (theme) => {
  test.each(COLOURS)("shows --%s as text that WCAG AA takes on every ground of a row", (name) => {
    const text = colourOf(css, name, theme);
    for (const ground of GROUNDS) expect.soft(wcagContrast(text, colourOf(tokens, ground, theme)), ground).toBeGreaterThanOrEqual(4.5);
  });
});

test("every colour of a source and of a terminal has a rule", () => {
  for (let index = 0; index < SOURCE_COLOURS; index += 1) expect(css).toContain(`.source[data-colour="${index}"]`);
  for (const colour of TEXT_COLOURS) expect(css).toContain(`\n.${colour} {`);
});
