"use client";
import { Preference } from "../preference.ts";

/** Keys that a person gave to shortcuts, by what these are called: "graph.fit". */
type OwnKeys = Readonly<Record<string, string>>;

/** Longer is nothing that the help wrote. */
const MAX_CHARACTERS = 4_000;
/** One character, two one after the other, or one with Ctrl or Cmd. */
const KEYS = /^(\S( \S)?|Mod\+(Shift\+)?\S)$/u;

const STORED = new Preference<string>("own-keys", "{}", (text): text is string => parse(text) !== undefined);
let read: { readonly text: string; readonly keys: OwnKeys } | undefined;

/** The keys of a shortcut: one's own in place of those that are typed. Enter, arrows and the like stay, so that no user is locked out. */
export function withOwn(name: string, keys: readonly string[]): readonly string[] {
  const own = ownKeys()[name];
  return own === undefined ? keys : [own, ...keys.filter((each) => !isTyped(each))];
}

/** Whether it is one that a person may change. */
export function isTyped(keys: string): boolean {
  return KEYS.test(keys);
}

/** Whether a shortcut has keys of a person's own. */
export function hasOwn(name: string): boolean {
  return ownKeys()[name] !== undefined;
}

/** Gives a shortcut keys of its own in this browser, or, without any, those of the table again. */
export function giveKeys(name: string, keys: string | undefined): void {
  const others = Object.entries(ownKeys()).filter(([each]) => each !== name);
  STORED.set(JSON.stringify(Object.fromEntries(keys === undefined ? others : [...others, [name, keys]])));
}

/** All shortcuts have the keys of the table again. */
export function forgetKeys(): void {
  STORED.set(STORED.start);
}

/** Calls `listener` when keys have changed, here or in another page of the browser. @returns ends it */
export function subscribeToKeys(listener: () => void): () => void {
  return STORED.subscribe(listener);
}

/** What they are now; another text when they have changed. */
export function storedKeys(): string {
  return STORED.get();
}

function ownKeys(): OwnKeys {
  const text = STORED.get();
  if (read?.text !== text) read = { text, keys: parse(text) ?? {} };
  return read.keys;
}

/** `undefined`: it is not what the help writes; anybody may have written it. */
function parse(text: string): OwnKeys | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const entries = Object.entries(value).flatMap(([name, keys]) => (typeof keys === "string" && isTyped(keys) ? [[name, keys]] : []));
    return Object.fromEntries(entries);
  } catch {
    return undefined;
  }
}
