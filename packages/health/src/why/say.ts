import { FAMILIES, type Family, type Row } from "./words/families.ts";
import type { WordTable } from "./words/words.ts";

/** A reason in words, and where the words come from. */
export interface Said {
  /** `family/row`: stable, for tests. */
  readonly id: string;
  readonly reason: string;
  readonly message: string;
  readonly nextStep: string;
}

/** What fills the places of a sentence; empty and absent are the same. */
export type Facts = Readonly<Record<string, string | number | undefined>>;

/** Longest quotation from the cluster in a sentence. */
const MAX_FACT = 300;

/** Words of a row of a family, filled with facts; `facts.reason` is the reason of a row that has none of its own. */
export function say<F extends Family>(family: F, row: Row<F>, facts: Facts): Said {
  const table: WordTable = FAMILIES[family];
  const words = table[row];
  const reason = words?.reason ?? textOf(facts["reason"]);
  return {
    id: `${family}/${row}`,
    reason: reason === "" ? "NotWell" : reason,
    message: fill(words?.message ?? "", facts),
    nextStep: fill(words?.nextStep ?? "", facts),
  };
}

/** Puts facts into `{places}`; a part in `[brackets]` is left out when one of its facts is empty. */
function fill(template: string, facts: Facts): string {
  const whole = template.replaceAll(/\[([^\]]*)\]|\{(\w+)\}/g, (_, part: string | undefined, place: string | undefined) => {
    if (part === undefined) return textOf(facts[place ?? ""]);
    const places = [...part.matchAll(/\{(\w+)\}/g)].map(([, name]) => textOf(facts[name ?? ""]));
    return places.includes("") ? "" : part.replaceAll(/\{(\w+)\}/g, (_all, name: string) => textOf(facts[name]));
  });
  return whole.charAt(0).toUpperCase() + whole.slice(1);
}

function textOf(fact: string | number | undefined): string {
  const text = String(fact ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return text.length > MAX_FACT ? `${text.slice(0, MAX_FACT)}…` : text;
}
