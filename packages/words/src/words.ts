import type { WordsId } from "./en/index.ts";

/** A message: its id, and the values of its placeholders. The catalogue of a language has the text. */
export interface Words {
  /** Key of a catalogue, for example "crash/oom". For one that a catalogue does not have, `NOT_KNOWN` is shown. */
  readonly id: string;
  readonly facts: Facts;
}

/** A name or a number as it is; another message; several of these, joined as the language does it. */
export type FactValue = string | number | Words | readonly FactValue[];

/** What fills the places of a sentence, by name; empty and absent are the same. */
export type Facts = Readonly<Record<string, FactValue | undefined>>;

/** Id of a foreign text, which is shown as it is in every language. */
export const QUOTED = "quoted";

/** Id of what is shown for a message whose id a catalogue does not have: a newer program may send one. */
export const NOT_KNOWN = "message/not-known" satisfies WordsId;

/** Creates a message. The compiler knows all ids. */
export function words(id: WordsId | typeof QUOTED, facts: Facts = {}): Words {
  const given: Record<string, FactValue> = {};
  for (const [name, fact] of Object.entries(facts)) if (fact !== undefined) given[name] = fact;
  return { id, facts: given };
}

/** A foreign text: a condition, an Event, a rule of a user. It is not translated. */
export function quoted(text: string): Words {
  return { id: QUOTED, facts: { text } };
}

/** Whether a fact is a message. */
export function isWords(fact: FactValue | undefined): fact is Words {
  return typeof fact === "object" && "id" in fact;
}

/** Every text among the facts, joined by line breaks: for those who look for a name in it. It is nothing to be shown. */
export function textsOf(message: Words): string {
  return Object.values(message.facts)
    .flatMap((fact) => textsOfFact(fact))
    .join("\n");
}

function textsOfFact(fact: FactValue | undefined): string[] {
  if (fact === undefined || typeof fact === "number") return [];
  if (typeof fact === "string") return fact === "" ? [] : [fact];
  return isWords(fact) ? [textsOf(fact)] : fact.flatMap(textsOfFact);
}
