import { quoted, words, type Facts, type Words, type WordsId } from "@binnacle/words";

/** What the cluster says itself, quoted; where it says nothing, this sentence. */
export function quotedOr(text: string | undefined, otherwise: WordsId, facts?: Facts): Words {
  return text === undefined || text === "" ? words(otherwise, facts) : quoted(text);
}
