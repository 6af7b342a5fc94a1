import { describe, expect, test } from "vitest";

import { ENGLISH } from "./en/index.ts";
import type { Catalogue } from "./catalogue.ts";
import { pseudoCatalogue } from "./pseudo-catalogue.ts";
import { parseTemplate, placesOf, type Piece } from "./template.ts";

/** A language is added here, and its locale. */
const LANGUAGES: readonly (readonly [string, Catalogue])[] = [
  ["en", ENGLISH],
  ["pseudo", pseudoCatalogue(ENGLISH)],
];

describe.each(LANGUAGES)("catalogue %s", (_, catalogue) => {
  test("has a template for every id, and no other", () => {
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(ENGLISH).sort());
  });

  test("names only places that the English sentence names", () => {
    const strange = Object.entries(ENGLISH).flatMap(([id, english]) => {
      const places = placesOf(english);
      return [...placesOf(catalogue[id] ?? "")].filter((name) => !places.has(name)).map((name) => `${id}: ${name}`);
    });
    expect(strange).toEqual([]);
  });

  test("has templates that are read to their end: no brace or bracket is left as text", () => {
    const broken = Object.entries(catalogue).filter(([, template]) =>
      textsIn(parseTemplate(template)).some((text) => /[{}[\]]/.test(text)),
    );
    expect(broken).toEqual([]);
  });

  test("has a text for every number", () => {
    const poor = Object.entries(catalogue).filter(([, template]) =>
      pluralsIn(parseTemplate(template)).some((plural) => !plural.has("other")),
    );
    expect(poor).toEqual([]);
  });
});

function textsIn(pieces: readonly Piece[]): string[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === "string") return [piece];
    return "optional" in piece ? textsIn(piece.optional) : [...(piece.plural?.values() ?? [])];
  });
}

function pluralsIn(pieces: readonly Piece[]): ReadonlyMap<string, string>[] {
  return pieces.flatMap((piece) => {
    if (typeof piece === "string") return [];
    if ("optional" in piece) return pluralsIn(piece.optional);
    return piece.plural === undefined ? [] : [piece.plural];
  });
}
