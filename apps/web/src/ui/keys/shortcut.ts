import type { WordsId } from "@binnacle/words";

/** What a key does, as the help tells it. */
export interface Shortcut {
  /** As `nameOfKey` says them; two with a space between are pressed one after the other. Any of them does it. */
  readonly keys: readonly string[];
  readonly does: WordsId;
}

/** Shortcuts by where they act, and there by what they are called. */
export type ShortcutTable = Readonly<Record<string, Readonly<Record<string, Shortcut>>>>;
