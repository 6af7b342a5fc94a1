import fc from "fast-check";
import { expect, test } from "vitest";

import { compileCatalogue } from "./compile-messages.ts";
import { Renderer } from "./renderer.ts";
import { visibleText } from "./visible-text.ts";
import { quoted } from "./words.ts";

test.each(["", "web-7d9c5b8f6-x2x4z", "Prüfer, naïve; 😀 👩‍👩‍👧", "two\n\tlines"])("%j is shown as it is", (text) => {
  expect(visibleText(text)).toBe(text);
});

test("R11: invisible characters have a mark with their code point", () => {
  expect(visibleText("a\u202Egnp.exe\u2066\u0000\u200B\r\uD800")).toBe("a⟨U+202E⟩gnp.exe⟨U+2066⟩⟨U+0000⟩⟨U+200B⟩⟨U+000D⟩⟨U+D800⟩");
});

test("R11: right-to-left text is isolated, and keeps its joiners", () => {
  expect(visibleText("شركة 1")).toBe("\u2068شركة 1\u2069");
  expect(visibleText("می‌خواهم")).toBe("\u2068می‌خواهم\u2069");
});

test("XM14, R11: no text changes the direction of what stands beside it", () => {
  const turning = fc.string({
    unit: fc.constantFrom(..."ab \u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\u200E\u200F\u061Cשع".split("")),
  });
  fc.assert(
    fc.property(fc.oneof(turning, fc.string({ unit: "binary" })), (text) => {
      const shown = visibleText(text).replace(/^\u2068([^]*)\u2069$/u, "$1");
      expect(shown).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200E\u200F\u061C\u2028\u2029]/u);
      expect(shown.isWellFormed()).toBe(true);
    }),
  );
});

test("R11: facts of a sentence are shown so, its own text is not changed", () => {
  const renderer = new Renderer(compileCatalogue({ named: "Pod {name} says: {text}" }), "en");
  expect(renderer.text({ id: "named", facts: { name: "a\u202Eb", text: quoted("c\u200Bd") } })).toBe("Pod a⟨U+202E⟩b says: c⟨U+200B⟩d");
});
