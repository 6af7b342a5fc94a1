import { ENGLISH } from "./en/index.ts";
import { Renderer } from "./renderer.ts";
import type { Words } from "./words.ts";

const renderer = new Renderer(ENGLISH, "en");

/** The sentence in English: for tests and for programs without a language of their own. */
export function renderEnglish(said: Words | undefined): string {
  return renderer.text(said);
}

/** For tests: a value of any shape in which everything that is said is its sentence. */
export function inEnglish(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inEnglish);
  if (typeof value !== "object" || value === null) return value;
  if (isSaid(value)) return renderEnglish(value);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, inEnglish(field)]));
}

function isSaid(value: object): value is Words {
  return "id" in value && "facts" in value && typeof value.id === "string" && typeof value.facts === "object";
}
