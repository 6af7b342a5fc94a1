import { placesOf, quoted, words, type Facts, type FactValue, type Words } from "@binnacle/words";
import { ENGLISH } from "@binnacle/words/en";

import { boundedName } from "../bounded-words.ts";
import { ROWS, type Family, type Row, type RowId } from "./rows.ts";

/** A reason in words, and where the words come from. */
export interface Explanation {
  /** `family/row`: stable, for tests. */
  readonly id: string;
  readonly reason: string;
  readonly message: Words;
  readonly nextStep: Words;
  /** Of a notice: since when it is so, where something says so; as written, may be no time. */
  readonly since?: string;
}

/** Places of the sentences that were used; at most as many as there are. */
const PLACES = new Map<string, ReadonlySet<string>>();

/**
 * The explanation of a row of a family. `facts.reason` is the reason of a row that has none of its own; a text in `facts.said` is a message of the
 * cluster, and quoted. Facts that its sentences do not name are left out.
 */
export function explanationOf<F extends Family>(family: F, row: Row<F>, facts: Facts): Explanation {
  // A family and one of its rows are what `RowId` is made of.
  const id = `${family}/${row}` as RowId;
  const table: Readonly<Record<string, string>> = ROWS[family];
  const reason = table[row] || (typeof facts["reason"] === "string" ? boundedName(facts["reason"]) : "");
  return {
    id,
    reason: reason === "" ? "NotWell" : reason,
    message: words(id, named(id, facts)),
    nextStep: words(`${id}/next`, named(`${id}/next`, facts)),
  };
}

/** The facts that a sentence names. Other languages name the same. */
function named(id: RowId | `${RowId}/next`, facts: Facts): Facts {
  const places = PLACES.get(id) ?? placesOf(ENGLISH[id]);
  PLACES.set(id, places);
  return Object.fromEntries(
    [...places].flatMap((name): [string, FactValue][] => {
      const fact = facts[name];
      if (fact === undefined || fact === "") return [];
      return [[name, name === "said" && typeof fact === "string" ? quoted(fact) : fact]];
    }),
  );
}
