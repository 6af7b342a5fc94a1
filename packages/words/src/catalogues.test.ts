import { describe, expect, test } from "vitest";

import { placesOf, type CompiledCatalogue, type CompiledMessage } from "./catalogue.ts";
import { ENGLISH } from "./english.ts";
import { pseudoCatalogue } from "./pseudo-catalogue.ts";
import { RENAMED_IDS } from "./renamed-ids.ts";

/** A language is added here, and its locale. */
const LANGUAGES: readonly (readonly [string, CompiledCatalogue])[] = [
  ["en", ENGLISH],
  ["pseudo", pseudoCatalogue(ENGLISH)],
];

describe.each(LANGUAGES)("catalogue %s", (_, catalogue) => {
  test("has a message for every id, and no other", () => {
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(ENGLISH).sort());
  });

  test("names only values that the English message names", () => {
    const strange = Object.entries(ENGLISH).flatMap(([id, english]) => {
      const places = placesOf(english);
      return [...placesOf(catalogue[id] ?? "")].filter((name) => !places.has(name)).map((name) => `${id}: ${name}`);
    });
    expect(strange).toEqual([]);
  });

  test("has no brace or bracket among its texts", () => {
    const broken = Object.entries(catalogue).filter(([, message]) => textsIn(message).some((text) => /[{}[\]]/.test(text)));
    expect(broken).toEqual([]);
  });
});

test("no renamed id is an id of the catalogue, and each leads to one", () => {
  expect(Object.keys(RENAMED_IDS).filter((id) => Object.hasOwn(ENGLISH, id))).toEqual([]);
  expect(Object.values(RENAMED_IDS).filter((id) => !Object.hasOwn(ENGLISH, id))).toEqual([]);
});

function textsIn(message: CompiledMessage): readonly string[] {
  if (typeof message === "string") return [message];
  return message.flatMap((part) => (typeof part === "string" ? [part] : Object.values(part[2] ?? {}).flatMap(textsIn)));
}
