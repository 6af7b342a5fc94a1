import { numberAt, type Fields } from "@binnacle/kube";

import { fieldMeaning, type CountMeaning } from "./field-meaning.ts";
import type { CountReading } from "./readings.ts";

interface Count extends CountMeaning {
  readonly name: string;
  readonly value: number;
}

/** A number of something else than pods, such as "1/3" in a text: digits before and after one stroke. */
const MAX_DIGITS = 9;

/** Fields of a spec that say how many there are to be. */
const WANTED_IN_SPEC = ["replicas", "size", "instances", "nodes", "members", "nodeCount", "replicaCount"];

/** The field of a spec that asks for none, such as `replicas: 0`; `undefined` = it asks for some, or says nothing of it. */
export function zeroInSpec(spec: Fields): string | undefined {
  return WANTED_IN_SPEC.find((name) => spec[name] === 0);
}

/** The numbers of one map, and which of them are too small. */
export class Counts {
  readonly #counts: Count[] = [];
  readonly #texts: CountReading[] = [];
  /** The largest number of what is wanted, by noun. */
  readonly #largest = new Map<string, Count>();
  #wanted: Count | undefined;

  add(meaning: CountMeaning, name: string, value: number): void {
    const count = { ...meaning, name, value };
    if (meaning.role === "want") this.#noteWanted(count);
    else this.#counts.push(count);
  }

  /** A number as text, or a part and a whole: "1/3". */
  addText(meaning: CountMeaning, name: string, text: string): void {
    if (text.length > 2 * MAX_DIGITS) return;
    const stroke = text.indexOf("/");
    const have = wholeNumber(stroke < 0 ? text : text.slice(0, stroke));
    if (have === undefined) return;
    if (stroke < 0) return this.add(meaning, name, have);
    const want = wholeNumber(text.slice(stroke + 1));
    if (want !== undefined) this.#texts.push({ path: name, have, wantPath: "", want, enough: have >= want, isIll: false });
  }

  /** What the spec wants, for the numbers of the status itself. */
  addWanted(spec: Fields): void {
    for (const name of WANTED_IN_SPEC) {
      const value = numberAt(spec, name);
      if (value === undefined) continue;
      this.#wanted = { role: "want", noun: fieldMeaning(name).count?.noun ?? "", name, value };
      return;
    }
  }

  /** Adds what was compared to `found`; the map stands at `path`. */
  compare(path: string, found: CountReading[]): void {
    for (const text of this.#texts) found.push({ ...text, path: `${path}.${text.path}` });
    for (const { role, noun, name, value } of this.#counts) {
      if (role === "lack" || role === "ill") {
        if (value > 0) found.push({ path: `${path}.${name}`, have: value, wantPath: "", want: 0, enough: false, isIll: role === "ill" });
        continue;
      }
      const want = this.#want(noun);
      if (want === undefined) continue;
      const wantPath = want === this.#wanted ? `spec.${want.name}` : `${path}.${want.name}`;
      found.push({ path: `${path}.${name}`, have: value, wantPath, want: want.value, enough: value >= want.value, isIll: false });
    }
  }

  /** How many of the same are wanted: by the spec, else by the largest number beside it. */
  #want(noun: string): Count | undefined {
    return this.#wanted?.noun === noun ? this.#wanted : this.#largest.get(noun);
  }

  #noteWanted(count: Count): void {
    const largest = this.#largest.get(count.noun);
    const wins = largest === undefined || count.value > largest.value || (count.value === largest.value && count.name < largest.name);
    if (wins) this.#largest.set(count.noun, count);
  }
}

function wholeNumber(text: string): number | undefined {
  if (text === "" || text.length > MAX_DIGITS) return undefined;
  const number = Number(text);
  return Number.isInteger(number) && number >= 0 ? number : undefined;
}
