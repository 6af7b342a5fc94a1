import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".css"));
const layerOf = (name: string): string => ({ "tokens.css": "tokens", "base.css": "base" })[name] ?? "components";

/** Rules of a stylesheet, without comments. */
const textOf = (name: string): string =>
  readFileSync(new URL(name, import.meta.url), "utf8")
    .replaceAll(/\/\*[^]*?\*\//gu, "")
    .trim();

test("the order of the layers is declared once, in the stylesheet that every page loads first", () => {
  const order = "@layer tokens, base, components;";
  expect(files.filter((name) => textOf(name).includes(order))).toEqual(["tokens.css"]);
  expect(textOf("tokens.css").startsWith(order)).toBe(true);
  for (const frame of ["layout.tsx", "global-error.tsx"]) {
    const code = readFileSync(new URL(`../../app/${frame}`, import.meta.url), "utf8");
    const own = [...code.matchAll(/^import "(\.[^"]+\.css)"/gmu)].map(([, path]) => path);
    expect(own[0], frame).toBe("../src/ui/tokens.css");
  }
});

test.each(files)("%s lies in its layer, whole", (name) => {
  const text = textOf(name).replace("@layer tokens, base, components;", "").trim();
  expect(text.startsWith(`@layer ${layerOf(name)} {`)).toBe(true);
  expect(text.match(/@layer/gu)).toHaveLength(1);
  expect(text.endsWith("}")).toBe(true);
  let depth = 0;
  const ends = [...text.matchAll(/[{}]/gu)].flatMap(({ 0: brace, index }) => {
    depth += brace === "{" ? 1 : -1;
    return depth === 0 ? [index] : [];
  });
  expect(ends).toEqual([text.length - 1]);
});
