import { firstCatalogue } from "#first-catalogue";
import type { Words } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { Renderer, words as wordsOf, type CompiledCatalogue, type Facts, type WordsId } from "@binnacle/words";
import type { PageWordsId } from "@binnacle/words/en/page";

import type { FirstCatalogue } from "./first-catalogue.ts";

/** Words of a message that was sent with their sentence: the page can show them before it has the whole language. */
export interface WordsWithSentence extends Words {
  readonly sentence: string;
}

let language: Language | undefined;
let known = new WeakMap<Words, string>();
let loading: Promise<void> | undefined;

/** What is spoken, as far as it is there. */
interface Language extends FirstCatalogue {
  readonly renderer: Renderer;
}

/** Sets the language of all messages: the whole page is to be rendered again. @param locale BCP 47 */
export function setLanguage(catalogue: CompiledCatalogue, locale: string): void {
  language = { ...spoken(), catalogue, renderer: new Renderer(catalogue, locale), isWhole: true };
  known = new WeakMap();
}

/** What the HTML has brought is spoken, until the whole language is there. */
export function takePageWords(words: FirstCatalogue): void {
  if (language === undefined) language = speaking(words);
}

/** Loads the language of the page, once. Subscribers of streams wait for it. @throws as `import()`; the next call tries again */
export async function loadLanguage(): Promise<void> {
  if (spoken().isWhole) return;
  loading ??= import("./languages.ts").then(({ wholeLanguage }) => setLanguage(wholeLanguage(spoken().language), "en"));
  try {
    await loading;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

function spoken(): Language {
  return (language ??= speaking(firstCatalogue()));
}

function speaking(words: FirstCatalogue): Language {
  return { ...words, renderer: new Renderer(words.catalogue, "en") };
}

/**
 * What a server says, as a sentence; empty for nothing.
 *
 * @throws a promise where there is not the whole language yet and the words were sent without their sentence: React waits for it
 */
export function messageText(words: Words | undefined): string {
  if (words === undefined) return "";
  const { renderer, isWhole } = spoken();
  if (!isWhole) return sentenceOf(words) ?? throwing(loadLanguage());
  const text = known.get(words) ?? renderer.text(fromWordsMessage(words));
  known.set(words, text);
  return text;
}

/**
 * What the page itself says; it can as soon as it is there, also when nothing else comes. Sentences among the facts are of the same part.
 *
 * @throws a promise on a page that has brought no words, as one that stands for all errors: React waits for the whole language
 */
export function t(id: PageWordsId, facts?: Facts): string {
  const { renderer, catalogue } = spoken();
  return id in catalogue ? renderer.text(wordsOf(id, facts)) : throwing(loadLanguage());
}

/**
 * What a part of the page says that is of use with data alone, and so comes with the whole language.
 *
 * @throws a promise where that is not there yet: React waits for it
 */
export function tLater(id: WordsId, facts?: Facts): string {
  const { renderer, isWhole } = spoken();
  return isWhole ? renderer.text(wordsOf(id, facts)) : throwing(loadLanguage());
}

function throwing(promise: Promise<void>): never {
  // oxlint-disable-next-line typescript/only-throw-error -- makes React wait outside of a hook; not only components call it
  throw promise;
}

function sentenceOf(words: Words | WordsWithSentence): string | undefined {
  return "sentence" in words ? words.sentence : undefined;
}
