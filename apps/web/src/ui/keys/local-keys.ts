"use client";
import { isCharacter, isTyping, nameOfKey, type KeyPress } from "./name-of-key.ts";
import { LOCAL_SHORTCUTS, type LocalScope, type ShortcutOf } from "./local-shortcuts.ts";
import { withOwn } from "./own-keys.ts";
import type { Shortcut } from "./shortcut.ts";
import { SINGLE_KEYS } from "./single-keys.ts";

/** What a part of the page does at each of its keys; `false`: not now, the key goes on. The type leaves none out, so the help tells no lie. */
export type KeyActions<Scope extends LocalScope> = Readonly<Record<ShortcutOf<Scope>, () => boolean | undefined | void>>;

interface Pressed extends KeyPress {
  readonly target: EventTarget | null;
  readonly preventDefault: () => void;
}

/** Runs what the pressed key does in this part of the page, and says whether it did anything. Not while the user is typing. */
export function runLocalKey<Scope extends LocalScope>(scope: Scope, event: Pressed, actions: KeyActions<Scope>): boolean {
  if (scope !== "find" && isTyping(event.target)) return false;
  const shortcut = shortcutOf(scope, event, SINGLE_KEYS.get() === "on");
  if (shortcut === undefined || actions[shortcut]() === false) return false;
  event.preventDefault();
  return true;
}

/** What the key stands for in this part of the page. @param singles whether shortcuts of one character act */
export function shortcutOf<Scope extends LocalScope>(scope: Scope, press: KeyPress, singles: boolean): ShortcutOf<Scope> | undefined {
  const name = nameOfKey(press);
  if (name === undefined || (!singles && isCharacter(name))) return undefined;
  const table: Readonly<Record<string, Shortcut>> = LOCAL_SHORTCUTS[scope];
  const found = Object.entries(table).find(([id, { keys }]) => withOwn(`${scope}.${id}`, keys).includes(name))?.[0];
  // The names of the table are the names of its type.
  return found as ShortcutOf<Scope> | undefined;
}
