import type { Facts, WordsId } from "@binnacle/words";
import type { PageWordsId } from "@binnacle/words/en/page";
import { createElement, Fragment, type ReactNode } from "react";
import { t, tLater } from "./messages.ts";

/** What fills the places of a sentence on the screen: also what is drawn. */
type Parts = Readonly<Record<string, ReactNode>>;

/** A noncharacter: it stands for a drawn part while the sentence is made. */
const MARK = "\uFFFF";

/** As `say`; elements stand in the places of the sentence, in the order of its language. */
export function tElements(id: PageWordsId, parts: Parts): ReactNode {
  return put(parts, (facts) => t(id, facts));
}

/** As `tLater`; elements stand in the places of the sentence, in the order of its language. */
export function tLaterElements(id: WordsId, parts: Parts): ReactNode {
  return put(parts, (facts) => tLater(id, facts));
}

function put(parts: Parts, sentence: (facts: Facts) => string): ReactNode {
  const drawn: ReactNode[] = [];
  const facts: Record<string, string> = {};
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === "string" || typeof part === "number") facts[name] = String(part).replaceAll(MARK, "");
    else if (part !== undefined && part !== null && typeof part !== "boolean") facts[name] = `${MARK}${drawn.push(part) - 1}${MARK}`;
  }
  const pieces = sentence(facts).split(MARK);
  return createElement(Fragment, null, ...pieces.map((piece, index) => (index % 2 === 1 ? drawn[Number(piece)] : piece)));
}
