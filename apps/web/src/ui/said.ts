import { firstCatalogue } from "#first-catalogue";
import type { Words } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { Renderer, words as wordsOf, type Catalogue, type Facts, type WordsId } from "@binnacle/words";
import type { PageWordsId } from "@binnacle/words/en/page";

/** Words of a message that was sent with their sentence: the page can show them before it has the whole language. */
export interface WordsWithSentence extends Words {
  readonly sentence: string;
}

let language: Language | undefined;
let known = new WeakMap<Words, string>();
let loading: Promise<void> | undefined;

/** What is spoken, as far as it is there. */
interface Language {
  readonly renderer: Renderer;
  readonly isWhole: boolean;
}

/** The language that everything is said in from now on: the whole page is to be drawn again. @param locale BCP 47 */
export function setLanguage(catalogue: Catalogue, locale: string): void {
  language = { renderer: new Renderer(catalogue, locale), isWhole: true };
  known = new WeakMap();
}

/** Loads the language of the page, once. Whoever follows a stream waits for it. @throws as `import()`; the next call tries again */
export async function loadLanguage(): Promise<void> {
  if (spoken().isWhole) return;
  loading ??= import("./languages.ts").then(({ wholeLanguage }) => setLanguage(wholeLanguage(firstCatalogue().language), "en"));
  try {
    await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

/** Not before somebody speaks: a browser reads the first words of the page when that is there. */
function spoken(): Language {
  if (language === undefined) {
    const { catalogue, isWhole } = firstCatalogue();
    language = { renderer: new Renderer(catalogue, "en"), isWhole };
  }
  return language;
}

/**
 * What a server says, as a sentence; empty for nothing.
 *
 * @throws a promise where there is not the whole language yet and the words were sent without their sentence: React waits for it
 */
export function said(words: Words | undefined): string {
  if (words === undefined) return "";
  const { renderer, isWhole } = spoken();
  if (!isWhole) return sentenceOf(words) ?? throwing(loadLanguage());
  const text = known.get(words) ?? renderer.text(fromWordsMessage(words));
  known.set(words, text);
  return text;
}

/** What the page itself says; it can from its first script on, also when no other comes. Sentences among the facts are of the same part. */
export function say(id: PageWordsId, facts?: Facts): string {
  return spoken().renderer.text(wordsOf(id, facts));
}

/**
 * What a part of the page says that is of use with data alone, and so comes with the whole language.
 *
 * @throws a promise where that is not there yet: React waits for it
 */
export function sayLater(id: WordsId, facts?: Facts): string {
  const { renderer, isWhole } = spoken();
  return isWhole ? renderer.text(wordsOf(id, facts)) : throwing(loadLanguage());
}

function throwing(promise: Promise<void>): never {
  // oxlint-disable-next-line typescript/only-throw-error -- how React is told to wait outside of a hook; not only components ask
  throw promise;
}

function sentenceOf(words: Words | WordsWithSentence): string | undefined {
  return "sentence" in words ? words.sentence : undefined;
}
