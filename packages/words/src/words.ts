import type { WordsId } from "./en/index.ts";

/** Something that is said: which sentence it is, and what fills its places. A catalogue of a language makes the sentence. */
export interface Words {
  /** Key of a catalogue, for example "crash/oom". One that a catalogue does not know is shown as it is. */
  readonly id: string;
  readonly facts: Facts;
}

/** A name or a number as it is; something that is said itself; several of these, joined as the language does it. */
export type FactValue = string | number | Words | readonly FactValue[];

/** What fills the places of a sentence, by name; empty and absent are the same. */
export type Facts = Readonly<Record<string, FactValue | undefined>>;

/** Id of a text of somebody else, which is shown as it is in every language. */
export const QUOTED = "quoted";

/** Says something. The compiler knows the ids of all that can be said. */
export function words(id: WordsId | typeof QUOTED, facts: Facts = {}): Words {
  const given: Record<string, FactValue> = {};
  for (const [name, fact] of Object.entries(facts)) if (fact !== undefined) given[name] = fact;
  return { id, facts: given };
}

/** A text of somebody else: a condition, an Event, a rule of a user. It is not translated. */
export function quoted(text: string): Words {
  return { id: QUOTED, facts: { text } };
}

/** Whether a fact is something said. */
export function isWords(fact: FactValue | undefined): fact is Words {
  return typeof fact === "object" && "id" in fact;
}

/** Every text among the facts, joined by line breaks: for those who look for a name in it. It is nothing to be shown. */
export function textsOf(said: Words): string {
  return Object.values(said.facts)
    .flatMap((fact) => textsOfFact(fact))
    .join("\n");
}

function textsOfFact(fact: FactValue | undefined): string[] {
  if (fact === undefined || typeof fact === "number") return [];
  if (typeof fact === "string") return fact === "" ? [] : [fact];
  return isWords(fact) ? [textsOf(fact)] : fact.flatMap(textsOfFact);
}
