import { ENGLISH } from "./english.ts";
import { Renderer } from "./renderer.ts";
import type { Words } from "./words.ts";

const renderer = new Renderer(ENGLISH, "en");

/** The sentence in English: for tests and for programs without a language of their own. */
export function renderEnglish(message: Words | undefined): string {
  return renderer.text(message);
}

/** For tests: a value of any shape in which every message is its rendered text. */
export function inEnglish(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inEnglish);
  if (typeof value !== "object" || value === null) return value;
  if (isMessage(value)) return renderEnglish(value);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, inEnglish(field)]));
}

function isMessage(value: object): value is Words {
  return "id" in value && "facts" in value && typeof value.id === "string" && typeof value.facts === "object";
}
