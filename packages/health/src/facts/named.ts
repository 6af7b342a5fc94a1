import { words, type Words } from "@binnacle/words";

/** A fact that is nothing but a name of no language; `undefined` when there is none. */
export function named(name: string): Words | undefined {
  return name === "" ? undefined : words("fact/name", { name });
}
